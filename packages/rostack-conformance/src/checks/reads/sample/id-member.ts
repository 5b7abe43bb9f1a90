import { type JsonObject, type JsonValue, jsonEquals, type Resource, recordIdText } from 'rostack-core';
import type { CheckContext } from '../../../check/check-context.ts';
import { itemUrl } from '../../../probe/place/urls.ts';

/** How many members are tried as the id of a record. */
const MAX_TRIED = 8;

/** By resource of a run, where it is not `id`. */
const found = new WeakMap<Resource, string>();

/** The member that holds the id of a resource's records, as far as it is known. */
export const idMemberOf = (resource: Resource): string => found.get(resource) ?? 'id';

/** The text of a record's id; undefined if it has no usable one. */
export const idOf = (record: JsonObject, resource: Resource): string | undefined =>
  recordIdText(record[idMemberOf(resource)]);

/** A record with another id, of the same JSON type. */
export function withId(record: JsonObject, resource: Resource, id: string): JsonObject {
  const member = idMemberOf(resource);
  return { ...record, [member]: typeof record[member] === 'number' ? Number(id) : id };
}

/**
 * Finds the member that holds the id, which no document names: what all records have, each another one, and what an item's URL leads back
 * to the record with.
 */
export async function findIdMember(
  { http, tokens }: CheckContext,
  resource: Resource,
  items: readonly JsonObject[],
): Promise<void> {
  const [first] = items;
  if (first === undefined || found.has(resource)) return;
  if (items.every((item) => recordIdText(item['id']) !== undefined)) return;
  const members = Object.keys(first).filter((member) => {
    const texts = new Set(items.map((item) => recordIdText(item[member])));
    return texts.size === items.length && !texts.has(undefined) && !texts.has('');
  });
  const isLikely = (member: string): boolean => /(?:id|key|number)$/i.test(member);
  const tried = members.toSorted((a, b) => Number(isLikely(b)) - Number(isLikely(a))).slice(0, MAX_TRIED);
  for (const member of tried) {
    const url = itemUrl(resource, recordIdText(first[member]) ?? '');
    const { status, json } = await http.get(url, { token: tokens.main });
    if (status !== 200 || !jsonEquals((json ?? null) as JsonValue, first)) continue;
    found.set(resource, member);
    return;
  }
}
