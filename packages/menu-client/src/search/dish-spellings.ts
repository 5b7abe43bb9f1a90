/** Ways to write one word in the names of dishes, folded: kitchens write them all. */
const SPELLINGS: readonly (readonly string[])[] = [
  '까스 가스 까쓰 카츠 까츠',
  '짜장 자장',
  '짬뽕 짬봉',
  '찌개 찌게',
  '떡볶이 떡볶기 떡뽁이 떡복이',
  '볶음 볶은 뽂음 뽁음',
  '육개장 육계장',
  '주꾸미 쭈꾸미',
  '낙지 낚지',
  '아귀 아구',
  '깍두기 깍뚜기',
  '설렁탕 설농탕',
  '닭볶음탕 닭도리탕',
  '순대국 순댓국',
  '만두국 만둣국',
  '김치국 김칫국',
  '북어국 북엇국',
  '동태국 동탯국',
  '시래기국 시래깃국',
  '우거지국 우거짓국',
  '선지국 선짓국',
  '감자국 감잣국',
  '무국 뭇국',
  '메밀 모밀',
  '어묵 오뎅',
  '소시지 소세지 쏘시지 쏘세지',
  '카레 커리',
  '스테이크 스테끼 스텍',
  '오므라이스 오무라이스',
  '프라이 후라이',
  '샐러드 셀러드 사라다',
  '카르보나라 까르보나라',
  '리소토 리조또 리조토',
  '토르티야 또띠아 또띠야',
  '부리토 부리또',
  '케사디야 퀘사디아',
  '초콜릿 초콜렛 초코렛',
  '케이크 케익 케잌',
  '도넛 도너츠',
  '주스 쥬스',
  '라테 라떼',
  '바게트 바게뜨',
  '카스텔라 카스테라',
  '요구르트 요거트 요쿠르트',
].map((line) => line.split(' '));
/** Korean names as they are written in Latin letters; few menus have them so. */
const ROMANISED: readonly (readonly [latin: RegExp, hangul: string])[] = [
  [/[td]on(?:katsu|kk?asu|kkaseu)/, '돈까스'],
  [/[kg]imchi/, '김치'],
  [/j?jigae/, '찌개'],
  [/bibimbap/, '비빔밥'],
  [/bulgogi/, '불고기'],
  [/jeyuk/, '제육'],
  [/[gk]albi/, '갈비'],
  [/[gk]imbap/, '김밥'],
  [/gukbap/, '국밥'],
  [/mandu/, '만두'],
  [/naengmyeon/, '냉면'],
  [/japchae/, '잡채'],
  [/s(?:u|oo)ndubu/, '순두부'],
  [/samgyeopsal/, '삼겹살'],
  [/jjajang/, '짜장'],
  [/jjam(?:pp|bb)ong/, '짬뽕'],
  [/t?teokbokki|topokki/, '떡볶이'],
];
const LATIN = /^[a-z]+$/;

/** More in one word would be too many ways to look for. */
const MAX_REPLACED = 2;

const ANY = new RegExp(SPELLINGS.flat().join('|'));

/** The other ways to write a folded word: `돈가스` for `돈까스`, and Hangul for `tonkatsu`; mostly none. */
export function spellingsOf(folded: string): readonly string[] {
  if (!LATIN.test(folded)) return respelled(folded);
  let hangul = folded;
  for (const [latin, korean] of ROMANISED) hangul = hangul.replace(latin, korean);
  return hangul === folded ? [] : [hangul, ...respelled(hangul)];
}

function respelled(folded: string): readonly string[] {
  if (!ANY.test(folded)) return [];
  let ways: readonly string[] = [folded];
  let replaced = 0;
  for (const group of SPELLINGS) {
    const written = group.find((part) => folded.includes(part));
    if (written === undefined || replaced === MAX_REPLACED) continue;
    replaced += 1;
    ways = ways.flatMap((way) => group.map((part) => way.replace(written, part)));
  }
  return ways.filter((way) => way !== folded);
}
