import { Buffer } from 'node:buffer';
import { type FieldSelection, type JsonObject, joinBodies, parseBodies, project } from 'rostack-core';
import type { RecordRenderer } from './app-options.ts';

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

const FRONT = Buffer.from('{"items":[');

/** A collection with its `page` member (protocol section 5). Cursors are ASCII. */
export function encodeCollection(
  bodies: Uint8Array,
  nextCursor: string | undefined,
  eventCursor: string | undefined,
): Buffer<ArrayBuffer> {
  const next = nextCursor === undefined ? 'null' : `"${nextCursor}"`;
  const event = eventCursor === undefined ? '' : `,"event_cursor":"${eventCursor}"`;
  const page = `],"page":{"next_cursor":${next},"has_more":${nextCursor !== undefined}${event}}}`;
  return Buffer.concat([FRONT, bodies, Buffer.from(page, 'latin1')]);
}
