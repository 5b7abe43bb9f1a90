import { readFileSync } from 'node:fs';
import type { Release } from 'rostack-core';
import { parse } from 'yaml';
import type { Requirement } from './requirement.ts';

const FOLDER = new URL('../../requirements/', import.meta.url);

/** The requirements of a release by id, in the order of the protocol. */
export function readRequirements(release: Release): ReadonlyMap<string, Requirement> {
  const file = parse(readFileSync(new URL(`${release}.yaml`, FOLDER), 'utf8')) as {
    readonly requirements: readonly Requirement[];
  };
  return new Map(file.requirements.map((requirement) => [requirement.id, requirement]));
}
