import { createRandom } from '../seeded/random.ts';
import { createProfile, type SandboxRestaurant } from './restaurant.ts';

/** Invented companies of the second operator: a business with four companies, each with ten restaurants. */
export interface Group {
  readonly code: string;
  readonly title: readonly [ko: string, en: string];
  readonly companies: readonly (readonly [
    ko: string,
    en: string,
    kind: 'office' | 'plant' | 'hospital' | 'campus',
  ])[];
}

export const SHINSEGAE_GROUPS: readonly Group[] = [
  {
    code: 'RH1_K_001',
    title: ['서울 강남권', 'Seoul Gangnam Area'],
    companies: [
      ['별하유통 강남본사', 'Byeolha Retail Gangnam HQ', 'office'],
      ['마루손해보험 역삼센터', 'Maru Insurance Yeoksam', 'office'],
      ['새벽커머스 삼성오피스', 'Saebyeok Commerce Samseong', 'office'],
      ['다솜병원 도곡', 'Dasom Hospital Dogok', 'hospital'],
    ],
  },
  {
    code: 'RH1_K_002',
    title: ['서울 도심권', 'Seoul Downtown Area'],
    companies: [
      ['한결은행 명동본점', 'Hangyeol Bank Myeongdong', 'office'],
      ['별하백화점 남대문', 'Byeolha Department Store Namdaemun', 'office'],
      ['가람통신 광화문사옥', 'Garam Telecom Gwanghwamun', 'office'],
      ['서울온누리대학교', 'Onnuri University Seoul', 'campus'],
    ],
  },
  {
    code: 'RH2_K_001',
    title: ['경기 남부권', 'Southern Gyeonggi Area'],
    companies: [
      ['미리내전자 수원 R5', 'Mirinae Electronics Suwon R5', 'office'],
      ['미리내반도체 용인', 'Mirinae Semiconductor Yongin', 'plant'],
      ['노을게임즈 판교', 'Noeul Games Pangyo', 'office'],
      ['초롱제약 향남공장', 'Chorong Pharma Hyangnam', 'plant'],
    ],
  },
  {
    code: 'RH3_K_001',
    title: ['영남권', 'Yeongnam Area'],
    companies: [
      ['미리내전자 구미', 'Mirinae Electronics Gumi', 'plant'],
      ['바다로해운 부산', 'Badaro Shipping Busan', 'office'],
      ['든솔자동차 울산', 'Deunsol Motors Ulsan', 'plant'],
      ['달구벌의료원', 'Dalgubeol Medical Center', 'hospital'],
    ],
  },
  {
    code: 'RH4_K_001',
    title: ['충청권', 'Chungcheong Area'],
    companies: [
      ['든솔배터리 오창', 'Deunsol Battery Ochang', 'plant'],
      ['한누리연구원 대전', 'Hannuri Institute Daejeon', 'office'],
      ['초롱식품 음성', 'Chorong Foods Eumseong', 'plant'],
      ['백마대학교 천안', 'Baengma University Cheonan', 'campus'],
    ],
  },
  {
    code: 'RH5_K_001',
    title: ['호남·제주권', 'Honam and Jeju Area'],
    companies: [
      ['든솔타이어 광주', 'Deunsol Tire Gwangju', 'plant'],
      ['여울제철 광양', 'Yeoul Steel Gwangyang', 'plant'],
      ['한라리조트 제주', 'Halla Resort Jeju', 'hospital'],
      ['누리마루전력 나주', 'Nurimaru Power Naju', 'office'],
    ],
  },
];

/** The operator addresses a restaurant by three codes; the id is the `storCd`, which is unique here. */
export interface ShinsegaeRestaurant extends SandboxRestaurant {
  readonly busiCd: string;
  readonly compCd: string;
  readonly storCd: string;
}

const HALLS = [
  ['사내식당', 'Staff Cafeteria'],
  ['1층 그린테이블', '1F Green Table'],
  ['2층 올반키친', '2F Olban Kitchen'],
  ['지하1층 푸드홀', 'B1 Food Hall'],
  ['스낵바', 'Snack Bar'],
  ['임직원 라운지', 'Staff Lounge'],
  ['샐러드랩', 'Salad Lab'],
  ['면사랑채', 'Noodle House'],
  ['기숙사식당', 'Dormitory Cafeteria'],
  ['VIP 다이닝', 'VIP Dining'],
] as const;

/** One code each; every seventh restaurant is listed under two, and VIP dining rooms under a `VIP` code. */
function storCd(index: number, hall: string): string {
  if (hall === 'VIP 다이닝') return `VIP${String(index + 1).padStart(3, '0')}`;
  return index % 7 === 4 ? `CAF${index + 1}, CAF${index + 1001}` : `CAF${index + 1}`;
}

/** 240 restaurants: ten halls in each of four companies in six businesses. */
export function shinsegaeRestaurants(seed: string): readonly ShinsegaeRestaurant[] {
  return SHINSEGAE_GROUPS.flatMap((group) =>
    group.companies.flatMap(([company, companyEn, kind], companyIndex) =>
      HALLS.map(([hall, hallEn]) => ({
        kind,
        busiCd: group.code,
        compCd: `K_KR_${String(companyIndex + 1).padStart(3, '0')}`,
        name: hall,
        nameEn: `${companyEn} ${hallEn}`,
        location: [group.title[0], company],
      })),
    ),
  ).map(({ kind, ...place }, index) => {
    const code = storCd(index, place.name);
    const profile = createProfile(createRandom(seed, 'profile', code), kind);
    return { vendor: 'shinsegae', id: code, storCd: code, ...place, ...profile };
  });
}
