import type { JsonObject, JsonValue } from 'rostack-core';
import type { Random } from 'test-support/random';

export const STATUSES = ['new', 'sorted', 'on the way', 'delivered', 'lost'] as const;
export const ZONES = ['a', 'ab', 'abc', 'b', 'b2', '가', '가나', '\u{1F4E6}'] as const;
export const CITIES = ['Busan', 'Daejeon', 'Gwangju', 'Incheon', 'Jeju', 'Seoul'] as const;
export const TAGS = ['cold', 'fragile', 'heavy', 'urgent'] as const;
export const NOTES = ['', 'ring twice', 'leave at the door', 'door code 1234'] as const;
export const MAX_WEIGHT = 40;

/** The record of the soak: every kind of value that filters tell apart. */
export const PARCEL_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'status', 'weight', 'zone', 'place', 'turn'],
  properties: {
    id: { type: 'string' },
    status: { enum: [...STATUSES] },
    weight: { type: 'number' },
    zone: { type: 'string' },
    insured: { type: 'boolean' },
    note: { type: ['string', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    place: {
      type: 'object',
      additionalProperties: false,
      required: ['city'],
      properties: { city: { type: 'string' }, floor: { type: 'integer' } },
    },
    turn: { type: 'integer' },
  },
} as const satisfies JsonObject;

export const FILTERABLE_FIELDS = {
  '/id': 'all',
  '/status': 'all',
  '/weight': 'all',
  '/zone': 'all',
  '/insured': 'all',
  '/note': 'all',
  '/tags': 'all',
  '/place/city': 'all',
  '/place/floor': 'all',
} as const;

/** A record with this id; `turn` makes each version another one. */
export function randomParcel(random: Random, id: string, turn: number): JsonObject {
  return {
    id,
    status: random.pick(STATUSES),
    weight: random.int(0, MAX_WEIGHT) / (random.chance(0.3) ? 4 : 1),
    zone: random.pick(ZONES),
    ...(random.chance(0.6) && { insured: random.chance(0.5) }),
    ...(random.chance(0.6) && { note: random.chance(0.25) ? null : random.pick(NOTES) }),
    ...(random.chance(0.7) && { tags: randomTags(random) }),
    place: { city: random.pick(CITIES), ...(random.chance(0.5) && { floor: random.int(-2, 20) }) },
    turn,
  };
}

/** The same record with a few of its fields drawn again, so that it enters, stays in and leaves filters. */
export function changedParcel(random: Random, parcel: JsonObject, turn: number): JsonObject {
  const { id } = parcel;
  if (typeof id !== 'string') throw new Error('a parcel has no id');
  const fresh = randomParcel(random, id, turn);
  const changed: Record<string, JsonValue> = { ...parcel, turn };
  for (const field of random.many(random.int(1, 2), () =>
    random.pick(Object.keys(PARCEL_SCHEMA.properties)),
  )) {
    const value = fresh[field];
    if (value === undefined) delete changed[field];
    else changed[field] = value;
  }
  return changed;
}

function randomTags(random: Random): readonly string[] {
  return TAGS.filter(() => random.chance(0.4));
}
