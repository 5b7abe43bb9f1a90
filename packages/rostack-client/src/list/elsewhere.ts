import type { JsonObject } from 'rostack-core';
import { recordIdText } from 'rostack-core/client';
import { RecordError } from '../http/error/errors.ts';
import { type IdPlace, idAt, type RecordIds } from './record-ids.ts';

/** How deep in objects an id is looked for, and at how many places. */
const MAX_DEPTH = 3;
const MAX_PLACES = 64;
/** How often a server may show that the id is elsewhere. */
const MAX_MOVES = 3;

/**
 * Takes the record of an event, which does not have the event's id where it was looked for, for what the server shows: the id is where this
 * record has it.
 * @throws RecordError if the record does not have it at all, or the caller has said where it is
 */
export function moveIds(ids: RecordIds, id: string, record: JsonObject): void {
  const found =
    ids.isGiven || ids.moves >= MAX_MOVES
      ? []
      : placesIn(record).filter(
          (place) => idAt(record, place) === id && (ids.candidates?.has(place.pointer) ?? true),
        );
  const [place] = found;
  if (place === undefined) throw otherRecord(ids, id, record);
  ids.moves += 1;
  if (found.length === 1) ids.settle(place);
  else ids.doubt(new Set(found.map(({ pointer }) => pointer)));
}

/** Takes a set that was stored under its ids for what the server has shown. */
export function learnIds(ids: RecordIds, records: ReadonlyMap<string, JsonObject>): void {
  if (!ids.isOpen) return;
  let left: readonly IdPlace[] | undefined;
  for (const [id, record] of records) {
    left = (left ?? placesIn(record)).filter((place) => idAt(record, place) === id);
    if (left.length < 2) break;
  }
  const [place] = left ?? [];
  if (place !== undefined && left?.length === 1) ids.settle(place);
}

/** Whether a record of a set has an id anywhere. */
export function isNamedIn(id: string, records: ReadonlyMap<string, unknown>): boolean {
  for (const record of records.values()) {
    if (typeof record !== 'object' || record === null) continue;
    const object = record as JsonObject;
    if (placesIn(object).some((place) => idAt(object, place) === id)) return true;
  }
  return false;
}

/** Every place of a record that could hold its id, the outer ones first. */
export function placesIn(record: JsonObject): readonly IdPlace[] {
  const places: IdPlace[] = [];
  let objects: (readonly [readonly string[], JsonObject])[] = [[[], record]];
  for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
    const inside: (readonly [readonly string[], JsonObject])[] = [];
    for (const [parent, object] of objects) {
      for (const [name, value] of Object.entries(object)) {
        const path = [...parent, name];
        if (recordIdText(value) !== undefined && value !== '')
          places.push({ pointer: pointerOf(path), path });
        else if (typeof value === 'object' && value !== null && !Array.isArray(value))
          inside.push([path, value as JsonObject]);
        if (places.length >= MAX_PLACES) return places;
      }
    }
    objects = inside;
  }
  return places;
}

const pointerOf = (path: readonly string[]): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function otherRecord(ids: RecordIds, id: string, record: JsonObject): RecordError {
  return new RecordError(
    `an event of ${id} brings the record ${ids.idOf(record)}: say with \`recordId\` where the id of a record is`,
  );
}
