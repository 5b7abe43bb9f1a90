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
