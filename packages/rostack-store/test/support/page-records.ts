import { Buffer } from 'node:buffer';
import { type Page, parseBodies, recordIdText } from 'rostack-core';
import { expect } from 'vitest';

export interface PageRecord {
  /** Text of the id. */
  readonly id: string;
  /** As it is stored. */
  readonly body: string;
}

/** The records of a page. */
export function recordsOfPage({ bodies }: Pick<Page, 'bodies'>): PageRecord[] {
  const records = parseBodies(bodies).map((record) => ({
    id: recordIdText(record['id']) ?? '',
    body: JSON.stringify(record),
  }));
  // Stored texts are written by JSON.stringify, so nothing is lost on the way through the values.
  expect(records.map(({ body }) => body).join(',')).toBe(Buffer.from(bodies).toString());
  return records;
}
