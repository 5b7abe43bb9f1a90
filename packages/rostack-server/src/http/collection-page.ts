import { type FieldSelection, type JsonObject, type PageKey, project, type StoredRecord } from 'rostack-core';
import type { RecordRenderer } from './served-resource.ts';

/** The JSON text of a record in one representation: the stored text itself where nothing changes it. */
export function representRecord(
  body: string,
  render: RecordRenderer | undefined,
  fields: FieldSelection | undefined,
): string {
  if (render === undefined && fields === undefined) return body;
  const record = JSON.parse(body) as JsonObject;
  const shown = render === undefined ? record : render(record);
  return JSON.stringify(fields === undefined ? shown : project(shown, fields));
}

/** The front of a collection: everything that does not depend on who asks. */
export interface PageRows {
  /** `{"items":[...],"page":` */
  readonly text: string;
  readonly next: PageKey | undefined;
}

/** Puts the front of a collection together; the stored texts are not parsed. */
export function encodeRows(
  records: readonly StoredRecord[],
  represent: (body: string) => string,
  next: PageKey | undefined,
): PageRows {
  let text = '{"items":[';
  let separator = '';
  for (const { body } of records) {
    text += separator;
    text += represent(body);
    separator = ',';
  }
  return { text: `${text}],"page":`, next };
}

/** The rest of a collection: its `page` member (protocol section 5). */
export function encodePageMember(nextCursor: string | undefined, eventCursor: string | undefined): string {
  const page = {
    next_cursor: nextCursor ?? null,
    has_more: nextCursor !== undefined,
    event_cursor: eventCursor,
  };
  return `${JSON.stringify(page)}}`;
}
