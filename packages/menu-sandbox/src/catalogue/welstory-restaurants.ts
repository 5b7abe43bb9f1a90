import { createRandom } from '../seeded/random.ts';
import { createProfile, type SandboxRestaurant } from './restaurant.ts';
import { WELSTORY_SITES } from './sites.ts';

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
