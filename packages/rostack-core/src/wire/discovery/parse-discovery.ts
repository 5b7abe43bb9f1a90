import { read, runChecks } from '../model/check.ts';
import { defineFaultsError, type Fault } from '../model/fault.ts';
import { findFaults } from '../model/validate.ts';
import { DEFAULT_RELEASE, type Release } from '../release/release.ts';
import { DISCOVERY_CROSS_CHECKS } from './cross-checks.ts';
import {
  type AnyDiscoveryDocument,
  type DiscoveryDocument,
  type DiscoveryDocument20260812,
  discoveryModel20260812,
  discoveryModel20260813,
} from './discovery-model.ts';

/** A value is not a discovery document. */
export class DiscoveryError extends defineFaultsError(
  'DiscoveryError',
  'invalid_discovery',
  'not a discovery document',
) {}

const MODELS = { '2026-08-12': discoveryModel20260812, '2026-08-13': discoveryModel20260813 };

/**
 * Validates a discovery document (parsed JSON) against the schema of its release and every check beyond it.
 * @param options.release @default '2026-08-13'
 * @throws DiscoveryError code `invalid_discovery`, with every fault, each with a JSON Pointer and a sentence
 * @see protocol section 2
 */
export function parseDiscovery(
  value: unknown,
  options?: { readonly release?: '2026-08-13' | undefined },
): DiscoveryDocument;
/**
 * Validates a discovery document of release 2026-08-12: permission names and schema dialects are freer, and there is
 * no `errors`.
 * @throws DiscoveryError `invalid_discovery`, with every fault
 * @see protocol section 1
 */
export function parseDiscovery(
  value: unknown,
  options: { readonly release: '2026-08-12' },
): DiscoveryDocument20260812;
/**
 * Validates a discovery document whose release is only known at run time, such as from `detectRelease`.
 * @throws DiscoveryError `invalid_discovery`, with every fault
 */
export function parseDiscovery(
  value: unknown,
  options: { readonly release?: Release | undefined },
): AnyDiscoveryDocument;
export function parseDiscovery(
  value: unknown,
  options: { readonly release?: Release | undefined } = {},
): AnyDiscoveryDocument {
  const release = options.release ?? DEFAULT_RELEASE;
  const faults = allFaults(value, release);
  if (faults.length > 0) throw new DiscoveryError(faults);
  return value as AnyDiscoveryDocument;
}

/**
 * Finds only what is wrong beyond the schema, in any value; parts that break the schema are skipped.
 * @param release @default '2026-08-13'
 */
export const checkDiscovery = (value: unknown, release: Release = DEFAULT_RELEASE): Fault[] =>
  allFaults(value, release).filter(({ check }) => check !== 'schema');

const allFaults = (value: unknown, release: Release): Fault[] => [
  ...findFaults(MODELS[release], value),
  ...runChecks(DISCOVERY_CROSS_CHECKS, value, release),
];

/** The release of a document: only the newer one has `errors` (protocol section 1). */
export const detectRelease = (value: unknown): Release =>
  read(value, 'errors') === undefined ? '2026-08-12' : '2026-08-13';
