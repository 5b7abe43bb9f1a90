import { VENDORS, type Vendor } from '../domain/restaurant.ts';

/** What people call the operators and their apps, folded and without spaces. */
const NAMES: Readonly<Record<Vendor, readonly string[]>> = {
  welstory: ['삼성웰스토리', '웰스토리', 'samsungwelstory', 'welstory', 'welstoryplus'],
  shinsegae: ['신세계푸드', 'shinsegaefood', 'planeatchoice', '플래닛초이스'],
};

const MIN_LENGTH = 2;

/** The operators with a name that begins with a folded token. */
export function operatorsNamed(token: string): readonly Vendor[] {
  if (token.length < MIN_LENGTH) return [];
  return VENDORS.filter((vendor) => NAMES[vendor].some((name) => name.startsWith(token)));
}
