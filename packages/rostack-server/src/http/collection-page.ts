import { Buffer } from 'node:buffer';
import {
  type FieldSelection,
  type JsonObject,
  joinBodies,
  type PageKey,
  parseBodies,
  project,
} from 'rostack-core';
import type { RecordRenderer } from './served-resource.ts';
import type { Slab } from './slab.ts';

/** The JSON text of a record in one representation: the stored text itself where nothing changes it. */
export function representRecord(
  body: string,
  render: RecordRenderer | undefined,
  fields: FieldSelection | undefined,
): string {
  if (render === undefined && fields === undefined) return body;
  return encodeShown(JSON.parse(body) as JsonObject, render, fields);
}

/** The bodies of a page in one representation: the bytes themselves where nothing changes them. */
export function representBodies(
  bodies: Uint8Array,
  render: RecordRenderer | undefined,
  fields: FieldSelection | undefined,
): Uint8Array {
  if (render === undefined && fields === undefined) return bodies;
  return joinBodies(parseBodies(bodies).map((record) => encodeShown(record, render, fields)));
}

function encodeShown(
  record: JsonObject,
  render: RecordRenderer | undefined,
  fields: FieldSelection | undefined,
): string {
  const shown = render === undefined ? record : render(record);
  const text: string | undefined = JSON.stringify(fields === undefined ? shown : project(shown, fields));
  if (text === undefined) throw new TypeError('A renderer gave something that is not JSON.');
  return text;
}

/** The part of a collection that does not depend on who asks. */
export interface PageRows {
  /** What stands between the brackets of `items`: UTF-8. */
  readonly items: Uint8Array;
  readonly next: PageKey | undefined;
}

const FRONT = '{"items":[';

/**
 * The whole collection in one piece.
 * @param page its `page` member, in ASCII, and what closes the collection
 * @param slab for bytes that are not kept
 */
export function encodeCollection({ items }: PageRows, page: string, slab?: Slab): Buffer<ArrayBuffer> {
  const size = FRONT.length + items.byteLength + page.length;
  const bytes = slab?.take(size) ?? Buffer.allocUnsafeSlow(size);
  bytes.write(FRONT, 0, 'latin1');
  bytes.set(items, FRONT.length);
  bytes.write(page, FRONT.length + items.byteLength, 'latin1');
  return bytes;
}

/** The rest of a collection after its items: its `page` member (protocol section 5). Cursors are ASCII. */
export function encodePageMember(nextCursor: string | undefined, eventCursor: string | undefined): string {
  const next = nextCursor === undefined ? 'null' : `"${nextCursor}"`;
  const event = eventCursor === undefined ? '' : `,"event_cursor":"${eventCursor}"`;
  return `],"page":{"next_cursor":${next},"has_more":${nextCursor !== undefined}${event}}}`;
}
