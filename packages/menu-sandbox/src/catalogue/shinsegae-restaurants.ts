import { createRandom } from '../seeded/random.ts';
import { SHINSEGAE_GROUPS } from './groups.ts';
import { createProfile, type SandboxRestaurant } from './restaurant.ts';

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

/** One code each; every seventh restaurant is listed under two, and dining rooms under a `VIP` code. */
function storCd(index: number, hall: string): string {
  if (hall === 'VIP 다이닝') return `VIP${String(index + 1).padStart(3, '0')}`;
  return index % 7 === 4 ? `CAF${index + 1}, CAF${index + 1001}` : `CAF${index + 1}`;
}

/** 240 restaurants: ten halls of each of four companies in six areas. */
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
