import { createRandom } from '../seeded/random.ts';
import { createProfile, type SandboxRestaurant } from './restaurant.ts';

/** Invented companies at real places. */
interface Site {
  readonly region: readonly [ko: string, en: string];
  readonly company: readonly [ko: string, en: string];
  readonly campus: readonly [ko: string, en: string];
  readonly buildings: readonly [string, string, string, string];
  readonly kind: 'office' | 'plant' | 'hospital' | 'campus';
}

function site(
  kind: Site['kind'],
  region: Site['region'],
  company: Site['company'],
  campus: Site['campus'],
  buildings: Site['buildings'],
): Site {
  return { kind, region, company, campus, buildings };
}

const HANBIT = ['한빛전자', 'Hanbit Electronics'] as const;
const NURI = ['누리소프트', 'Nuri Soft'] as const;
const GAON = ['가온반도체', 'Gaon Semiconductor'] as const;
const MIR = ['미르중공업', 'Mir Heavy Industries'] as const;
const DAON = ['다온바이오', 'Daon Bio'] as const;
const HAEON = ['해온의료재단', 'Haeon Medical'] as const;

/** 30 sites with four buildings each. */
const WELSTORY_SITES: readonly Site[] = [
  site(
    'office',
    ['경기 수원시', 'Suwon'],
    HANBIT,
    ['수원디지털캠퍼스', 'Suwon Campus'],
    ['R3', 'R4', 'R5', '중앙관'],
  ),
  site(
    'office',
    ['경기 화성시', 'Hwaseong'],
    HANBIT,
    ['화성연구단지', 'Hwaseong R&D'],
    ['H1', 'H2', 'H3', 'NRD'],
  ),
  site(
    'plant',
    ['경기 평택시', 'Pyeongtaek'],
    HANBIT,
    ['평택사업장', 'Pyeongtaek Plant'],
    ['P1', 'P2', 'P3', '복지동'],
  ),
  site(
    'plant',
    ['충남 천안시', 'Cheonan'],
    HANBIT,
    ['천안사업장', 'Cheonan Plant'],
    ['C1', 'C2', 'C3', '후생동'],
  ),
  site(
    'plant',
    ['경북 구미시', 'Gumi'],
    HANBIT,
    ['구미사업장', 'Gumi Plant'],
    ['1공장', '2공장', '기숙사동', '복지관'],
  ),
  site(
    'office',
    ['서울 강남구', 'Gangnam-gu, Seoul'],
    NURI,
    ['강남사옥', 'Gangnam Office'],
    ['본관', '별관', 'A타워', 'B타워'],
  ),
  site(
    'office',
    ['서울 강남구', 'Gangnam-gu, Seoul'],
    ['세움건설', 'Seum Construction'],
    ['역삼사옥', 'Yeoksam Office'],
    ['동관', '서관', '신관', '지하아케이드'],
  ),
  site(
    'office',
    ['서울 서초구', 'Seocho-gu, Seoul'],
    HANBIT,
    ['서초사옥', 'Seocho Office'],
    ['A동', 'B동', 'C동', '홍보관'],
  ),
  site(
    'office',
    ['서울 송파구', 'Songpa-gu, Seoul'],
    NURI,
    ['잠실캠퍼스', 'Jamsil Campus'],
    ['웨스트', '이스트', '센터', '파크동'],
  ),
  site(
    'office',
    ['경기 성남시 분당구', 'Bundang-gu, Seongnam'],
    NURI,
    ['판교캠퍼스', 'Pangyo Campus'],
    ['1사옥', '2사옥', '3사옥', '알파동'],
  ),
  site(
    'plant',
    ['경기 이천시', 'Icheon'],
    GAON,
    ['이천본사', 'Icheon Headquarters'],
    ['M10', 'M14', 'M16', '행복관'],
  ),
  site(
    'plant',
    ['충북 청주시', 'Cheongju'],
    GAON,
    ['청주캠퍼스', 'Cheongju Campus'],
    ['M11', 'M12', 'M15', '문화동'],
  ),
  site(
    'office',
    ['서울 강동구', 'Gangdong-gu, Seoul'],
    GAON,
    ['강동연구소', 'Gangdong Lab'],
    ['R동', 'D동', 'E동', '라운지동'],
  ),
  site(
    'plant',
    ['울산 동구', 'Dong-gu, Ulsan'],
    MIR,
    ['울산조선소', 'Ulsan Shipyard'],
    ['1야드', '2야드', '도크동', '한마음관'],
  ),
  site(
    'plant',
    ['경남 거제시', 'Geoje'],
    MIR,
    ['거제조선소', 'Geoje Shipyard'],
    ['남문', '북문', '해양동', '기술관'],
  ),
  site(
    'plant',
    ['경남 창원시', 'Changwon'],
    MIR,
    ['창원공장', 'Changwon Plant'],
    ['정공동', '기계동', '엔진동', '본관'],
  ),
  site(
    'office',
    ['인천 연수구', 'Yeonsu-gu, Incheon'],
    DAON,
    ['송도캠퍼스', 'Songdo Campus'],
    ['1플랜트', '2플랜트', '3플랜트', '커뮤니티동'],
  ),
  site(
    'office',
    ['대전 유성구', 'Yuseong-gu, Daejeon'],
    DAON,
    ['대덕연구소', 'Daedeok Lab'],
    ['연구1동', '연구2동', '행정동', '기숙동'],
  ),
  site(
    'hospital',
    ['서울 강남구', 'Gangnam-gu, Seoul'],
    HAEON,
    ['강남해온병원', 'Gangnam Haeon Hospital'],
    ['본관', '암센터', '별관', '교육동'],
  ),
  site(
    'hospital',
    ['부산 해운대구', 'Haeundae-gu, Busan'],
    HAEON,
    ['해운대해온병원', 'Haeundae Haeon Hospital'],
    ['본관', '심뇌센터', '직원동', '장례동'],
  ),
  site(
    'campus',
    ['광주 북구', 'Buk-gu, Gwangju'],
    ['온새미대학교', 'Onsaemi University'],
    ['광주캠퍼스', 'Gwangju Campus'],
    ['학생회관', '공학관', '도서관', '생활관'],
  ),
  site(
    'campus',
    ['서울 동작구', 'Dongjak-gu, Seoul'],
    ['한울대학교', 'Hanul University'],
    ['흑석캠퍼스', 'Heukseok Campus'],
    ['학생회관', '법학관', '중앙광장', '기숙사'],
  ),
  site(
    'office',
    ['서울 중구', 'Jung-gu, Seoul'],
    ['두레금융그룹', 'Dure Financial'],
    ['을지로본점', 'Euljiro Headquarters'],
    ['본점', '연수동', '전산동', '별관'],
  ),
  site(
    'office',
    ['서울 영등포구', 'Yeongdeungpo-gu, Seoul'],
    ['두레증권', 'Dure Securities'],
    ['여의도사옥', 'Yeouido Office'],
    ['타워1', '타워2', '지하1층', '스카이라운지'],
  ),
  site(
    'office',
    ['서울 마포구', 'Mapo-gu, Seoul'],
    ['아람미디어', 'Aram Media'],
    ['상암센터', 'Sangam Center'],
    ['방송동', '제작동', '연결동', '미디어홀'],
  ),
  site(
    'plant',
    ['전남 여수시', 'Yeosu'],
    ['너울화학', 'Neoul Chemical'],
    ['여수공장', 'Yeosu Plant'],
    ['A정문', 'B정문', '중앙관', '생활관'],
  ),
  site(
    'plant',
    ['경기 안산시', 'Ansan'],
    ['라온정밀', 'Raon Precision'],
    ['반월공장', 'Banwol Plant'],
    ['가공동', '조립동', '물류동', '복지동'],
  ),
  site(
    'office',
    ['세종 나성동', 'Naseong-dong, Sejong'],
    ['나라정보원', 'Nara Information'],
    ['세종청사', 'Sejong Office'],
    ['1동', '2동', '3동', '민원동'],
  ),
  site(
    'plant',
    ['강원 원주시', 'Wonju'],
    ['푸른의료기', 'Pureun Medical Devices'],
    ['원주공장', 'Wonju Plant'],
    ['생산1동', '생산2동', '연구동', '후생관'],
  ),
  site(
    'office',
    ['제주 제주시', 'Jeju'],
    NURI,
    ['제주오피스', 'Jeju Office'],
    ['바람동', '돌담동', '오름동', '바다동'],
  ),
];

const HALLS = [
  ['1식당', 'Cafeteria 1'],
  ['2식당', 'Cafeteria 2'],
  ['B1F 푸드코트', 'B1F Food Court'],
] as const;

/** 360 restaurants: three halls in each building of each site. */
export function welstoryRestaurants(seed: string): readonly SandboxRestaurant[] {
  return WELSTORY_SITES.flatMap((site) =>
    site.buildings.flatMap((building) =>
      HALLS.map(([hall, hallEn]) => ({
        name: `${building} ${hall}`,
        nameEn: `${building} ${hallEn}`,
        location: [site.company[0], site.region[0], site.campus[0], building],
        kind: site.kind,
      })),
    ),
  ).map(({ kind, ...place }, index) => {
    const id = `REST${String(index + 1).padStart(6, '0')}`;
    return { vendor: 'welstory', id, ...place, ...createProfile(createRandom(seed, 'profile', id), kind) };
  });
}
