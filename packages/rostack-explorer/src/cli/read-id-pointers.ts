import type { AnyDiscoveryDocument } from 'rostack-core';
import type { ExplorerSubject } from '../description/describe-implementation.ts';

const OPTION = /^(?:([a-z][a-z0-9-]*)=)?(\/(?:[^~]|~[01])*)$/;

/** Where `--record-id` says that ids are: by resource, and under undefined for all others. */
export type IdPointers = ReadonlyMap<string | undefined, string>;

/** Reads `--record-id`: `/deviceId` for all resources, `things=/deviceId` for one. @returns undefined for anything else */
export function readIdPointers(values: readonly string[]): IdPointers | undefined {
  const pointers = new Map<string | undefined, string>();
  for (const value of values) {
    const [, resource, pointer] = OPTION.exec(value) ?? [];
    if (pointer === undefined) return undefined;
    pointers.set(resource, pointer);
  }
  return pointers;
}

/** Where the records of each resource have their id. */
export function idsOfResources(
  { resources }: AnyDiscoveryDocument,
  pointers: IdPointers,
): NonNullable<ExplorerSubject['resources']> {
  const told = resources.flatMap(({ name }) => {
    const idPointer = pointers.get(name) ?? pointers.get(undefined);
    return idPointer === undefined ? [] : [[name, { idPointer }] as const];
  });
  return Object.fromEntries(told);
}
