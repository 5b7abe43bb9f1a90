import type { JsonObject } from 'rostack-core';

/** Number of records with the same station, and so the number of ties in a sort by it. */
export const TIES = 400;

export const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'station', 'altitude', 'name', 'active', 'observed_at', 'note'],
  properties: {
    id: { type: 'string' },
    station: { type: 'string' },
    altitude: { type: 'number' },
    name: { type: 'string' },
    active: { type: 'boolean' },
    observed_at: { type: 'string' },
    note: { type: 'string' },
  },
} as const;

export const idOf = (number: number): string => `reading-${String(number).padStart(7, '0')}`;

export const stationOf = (number: number): string =>
  `station-${String(Math.floor(number / TIES)).padStart(4, '0')}`;

/** One of `records` records of about 200 bytes, each with its own altitude. @param note the part that changes */
export function reading(number: number, records: number, note = 'x'.repeat(36)): JsonObject {
  return {
    id: idOf(number),
    station: stationOf(number),
    altitude: (number * 7_919) % records,
    name: `관측소 ${number}`,
    active: number % 2 === 0,
    observed_at: '2026-08-14T03:00:00Z',
    note,
  };
}

/**
 * The path of a page of 50 records, a different one for each number: in turn by id, up and down by altitude, by station, and of one
 * station. How much each has to look at does not depend on the number of records.
 */
export function differentPath(number: number, records: number): string {
  const altitude = (number * 7_919) % (records - 1_000);
  // No record has this altitude, and no two queries are the same.
  const place = altitude + ((number * 13) % 997) / 1_000;
  const station = stationOf((number * 61) % (records - 1_000));
  switch (number % 5) {
    case 0:
      return pathOf({ '/altitude': { gte: place, lt: place + 200 } }, undefined);
    case 1:
      return pathOf({ '/altitude': { gte: place } }, '/altitude');
    case 2:
      return pathOf({ '/altitude': { lt: place + 500 } }, '-/altitude');
    case 3:
      return pathOf({ '/station': { gte: `${station}.${number}` } }, '/station');
    default:
      return pathOf({ '/station': { eq: station }, '/altitude': { gte: -place } }, '/altitude');
  }
}

function pathOf(filter: object, sort: string | undefined): string {
  const order = sort === undefined ? '' : `&sort=${sort}`;
  return `/api/readings?limit=50${order}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
}
