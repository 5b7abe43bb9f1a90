import { readFileSync } from 'node:fs';
import { RELEASES, type Release } from 'rostack-core';
import { parse } from 'yaml';
import { KitError } from '../../base/kit-error.ts';
import type { Requirement } from './requirement.ts';

const FOLDER = new URL('../../../requirements/', import.meta.url);

/** Files that have been read, because parsing one takes longer than many checks. */
const known = new Map<Release, ReadonlyMap<string, Requirement>>();

/** The requirements of a release by id, in the order of the protocol. @throws KitError `usage` if there is no such release */
export function readRequirements(release: Release): ReadonlyMap<string, Requirement> {
  if (!RELEASES.includes(release)) throw new KitError('usage', `Pass a release: ${RELEASES.join(' or ')}.`);
  const requirements = known.get(release) ?? parseFile(release);
  known.set(release, requirements);
  return requirements;
}

function parseFile(release: Release): ReadonlyMap<string, Requirement> {
  const file = parse(readFileSync(new URL(`${release}.yaml`, FOLDER), 'utf8')) as {
    readonly requirements: readonly Requirement[];
  };
  return new Map(file.requirements.map((requirement) => [requirement.id, requirement]));
}
