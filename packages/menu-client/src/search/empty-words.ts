const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** What people write around what they look for, folded. */
const EMPTY: ReadonlySet<string> = new Set([
  ...words('식당 구내식당 사내식당 사원식당 직원식당 구내 사내 급식 급식소 학식 카페테리아 맛집 밥집 식당들'),
  ...words(
    '메뉴 메뉴판 식단 식단표 밥 식사 음식 요리 반찬 역 근처 주변 쪽 에서 에 의 은 는 이번주 금주 주간 시간 거 꺼 것 때 날 낮 낮에 건물 회사 우리 저희 가까운 ㄱㄱ',
  ),
  ...words(
    '뭐 뭐야 뭐지 뭐니 뭐임 뭐가 뭐있어 뭐있지 뭐나와 뭐나오지 뭐먹지 뭐먹을까 뭐먹나 뭐나와요 뭐예요 뭐에요 머 머먹지 뭘 무엇 무슨 어디 어디서 어떤 곳 데',
  ),
  ...words(
    '먹지 먹을까 먹을 먹나 먹고 먹어 먹는 싶어 나와 나와요 나오나 나오는 나오지 파는 칼로리 열량 사진 가격 포장 테이크아웃 위치 영업시간 운영시간 휴무 오전 오후 수 calories takeout 있어 있나 있나요 있어요',
  ),
  ...words(
    '알려줘 알려 알려주세요 보여줘 보여주세요 찾아줘 찾아 추천 추천해줘 추천좀 좀 줘 해줘 주세요 밥줘 밥좀 제일 가장 돼요 해요 하나요 건데 목록 리스트 전체 전부 가능 가능한',
  ),
  ...words(
    'cafeteria cafeterias restaurant restaurants canteen canteens menu menus food meal meals dish dishes',
  ),
  ...words(
    'station near nearby around at in on the a an of for to and with by from what whats which where when how',
  ),
  ...words(
    'is are there do does can could i we you me my eat have get show tell find please serve served serves time today',
  ),
  ...words(
    'right any anything some something good best want like looking hungry open pls plz theres wheres im this week weekly list all',
  ),
]);

/** Asking how to ask, and being polite. */
const HELP: ReadonlySet<string> = new Set(
  words(
    '도움말 도움 도와줘 사용법 사용방법 이용방법 안내 시작 시작하기 처음 혹시 그럼 그러면 근데 감사 감사합니다 감사해요 고마워 고마워요 고맙습니다 저기요 배고파 배고프다 저기 음 어 저 그 헤이 help usage start hi hello hey thanks thx 안녕 안녕하세요',
  ),
);

/** `12시`, `11시반에`. */
const HOUR = /^\d{1,2}시(?:반|쯤)?에?$/;
/** What may follow an empty word: `메뉴는`. */
const PARTICLES = /(?:은|는|이|가|을|를|도|에|의|만|로|이?요|이?야|[ㅋㅎㅠㅜ]+)$/;
const LAUGHTER = /^[ㅋㅎㅠㅜ]{2,}$/;
/** Asking, however the verb ends: `뭐나옴`, `먹으러`, `알려줄래`. */
const ASKING =
  /^(?:(?:뭐|뭘|뭔|무엇|어디|언제|몇|머먹|머나|모먹|모나)[가-힣]{0,6}|(?:먹|맛있|있|없|싶|좋|되|될|나[오와옴온]|알려|보여|찾아|추천|부탁|궁금|말해|열어)[가거게고까나냐네는니다데드라래러려릴만면봐서세습시실어여요용으은을음인자좀죠주줄줘지하한합해했]{0,6})$/;

const ENDINGS =
  /(?:에서는?|에는|이?요|인데|입니다|으?로|까지|[꺼거]|에|의|은|는|이|가|을|를|도|역|점|쪽|동|구|근처|주변|구내식당|사내식당|식당|메뉴|식단|맛집|추천|[ㅋㅎㅠㅜ]+)$/;
/** `제1식당` and `1식당` are one name. */
const ORDINAL = /^제(?=\d)/;
const MIN_STEM_LENGTH = 2;

/** True for a folded word that says nothing about which restaurant or dish is meant, also for several written together. */
export function isEmptyWord(folded: string): boolean {
  if (EMPTY.has(folded) || HELP.has(folded)) return true;
  if ([LAUGHTER, ASKING, HOUR].some((form) => form.test(folded))) return true;
  const bare = folded.replace(PARTICLES, '');
  if (bare !== folded && bare.length >= MIN_STEM_LENGTH && isEmptyWord(bare)) return true;
  // Pieces of one syllable are part of too many other words.
  for (let end = folded.length - MIN_STEM_LENGTH; end >= MIN_STEM_LENGTH; end -= 1) {
    if (EMPTY.has(folded.slice(0, end)) && isEmptyWord(folded.slice(end))) return true;
  }
  return false;
}

/** The folded word without endings that say nothing, one by one: `강남역에서` is `강남역`, then `강남`. */
export function stemsOf(folded: string): readonly string[] {
  const bare = folded.replace(ORDINAL, '');
  const stems: string[] = bare === folded ? [] : [bare];
  for (let stem = bare; ; ) {
    const shorter = stem.replace(ENDINGS, '');
    if (shorter === stem || shorter.length < MIN_STEM_LENGTH) return stems;
    stems.push(shorter);
    stem = shorter;
  }
}
