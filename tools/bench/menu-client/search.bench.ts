import { availableParallelism, loadavg } from 'node:os';
import { createMenuService, type Operator, type Restaurant, type Vendor } from 'menu-client';
import { median, quantile, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { silentOperator } from '../support/silent-operator.ts';

const COMPANIES = [
  '한빛전자',
  '누리소프트',
  '가온디스플레이',
  '해온의료재단',
  'SK하이닉스',
  '현대자동차',
  '네이버',
  '포스코건설',
  'LG에너지솔루션',
  '대한항공',
];
const PLACES = [
  '강남',
  '수원',
  '판교',
  '역삼',
  '기흥',
  '화성',
  '평택',
  '구미',
  '천안',
  '부산',
  '인천',
  'R5',
  '송도',
  '여의도',
  '마곡',
];
const SITES = ['캠퍼스', '사업장', '공장', '연구소', '사옥', '병원', '데이터센터'];
const HALLS = [
  '1식당',
  '2식당',
  '사원식당',
  '푸드코트',
  'B1F 푸드코트',
  '카페테리아',
  '구내식당',
  '라운지',
  'VIP 다이닝',
  '기숙사식당',
];

function pick<T>(items: readonly T[], at: number): T {
  const item = items[at % items.length];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

const restaurants: readonly Restaurant[] = Array.from({ length: 3000 }, (_, index) => {
  const [company, place, site] = [pick(COMPANIES, index), pick(PLACES, index * 7), pick(SITES, index * 3)];
  const building = `${pick(['본관', '별관', '교육동', '연구동'], index * 11)} ${index % 97}동`;
  const name =
    index % 4 === 0 ? `${place}${site}${pick(HALLS, index)}` : `${building} ${pick(HALLS, index * 13)}`;
  return {
    vendor: index % 5 < 3 ? 'welstory' : 'shinsegae',
    id: `REST${index}`,
    name,
    nameEn: `Hall ${index} of ${index % 300}`,
    location: [company, `경기 ${place}시 ${index % 40}구`, `${place}${site}`, building],
  };
});

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  exact: ['한빛전자', 'R5', '강남사옥1식당', 'hall 7 of 7'],
  prefix: ['강남', '사원', 'b1f', '누리'],
  contains: ['식당', '동', '전자', '캠퍼스', '0'],
  'several words': ['한빛전자 수원', '판교 구내식당 17동', '식당 동 관', 'hall of 1'],
  'initial consonants': ['ㄱㄴ', 'ㅅㄷ', 'ㅎㅂㅈㅈ', 'ㄱ', '강ㄴ', '사ㅇ식ㄷ'],
  'one typo': [
    '강냠',
    '캠파스',
    '사원싟당',
    '한빗전자',
    '카페태리아',
    '데이터샌터',
    '가온디스플래이',
    '한전빛자',
  ],
  'no match': ['없는식당이름', 'zzzzzzzz', '강남 없음', 'ㅋㅋㅋㅋ', '가나다라마바사아자차카타파하'],
};

/** Lists its share of the restaurants and is never asked for more. */
function operator(vendor: Vendor): Operator {
  const value = restaurants.filter((restaurant) => restaurant.vendor === vendor);
  return silentOperator(vendor, async () => ({ value, droppedRows: 0 }));
}

await using service = createMenuService({ operators: [operator('welstory'), operator('shinsegae')] });
const builtMs = performance.now();
await service.search('강남');
console.log(
  `first search of ${restaurants.length} restaurants, index included: ${(performance.now() - builtMs).toFixed(0)} ms`,
);

const ROUNDS = 9;
const REPEATS = 20;

const timesMs = new Map<string, number[]>(Object.keys(QUERIES).map((kind) => [kind, []]));
let found = 0;

/** Tokens of 16 queries push out what is remembered of earlier ones, so that each timed search does its work. */
let forgotten = 0;
async function forget(): Promise<void> {
  for (let count = 0; count < 16; count += 1) {
    const tokens = Array.from({ length: 16 }, () => `z${((forgotten += 1)).toString(36)}`);
    found += (await service.search(tokens.join(' '))).restaurants.length;
  }
}

/** Every query several times, round robin. @returns what each search took, ms */
async function round(): Promise<readonly number[]> {
  const took: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    await forget();
    for (const [kind, queries] of Object.entries(QUERIES)) {
      for (const query of queries) {
        const startMs = performance.now();
        found += (await service.search(query)).restaurants.length;
        const tookMs = performance.now() - startMs;
        took.push(tookMs);
        timesMs.get(kind)?.push(tookMs);
      }
    }
  }
  return took;
}

const { p99s } = await runRounds(
  {
    p99s: async (count) => {
      const took = await round();
      // What was taken while it warmed up is forgotten.
      if (count < 0) for (const times of timesMs.values()) times.length = 0;
      return quantile(took, 0.99);
    },
  },
  { rounds: ROUNDS, warmUps: 2 },
);

for (const [kind, values] of timesMs) {
  const [p50, p99] = [median(values), quantile(values, 0.99)];
  console.log(
    `${kind.padEnd(20)} p50 ${p50.toFixed(3)} ms  p99 ${p99.toFixed(3)} ms  (${values.length} searches)`,
  );
}
console.log(
  `${found} results consumed; load average ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`,
);
report('menu-client/search', {
  ratio: median(p99s),
  bar: 1,
  want: 'at most',
  note: `ms, p99 of all kinds; rounds ${spreadOf(p99s, 3)}`,
});
