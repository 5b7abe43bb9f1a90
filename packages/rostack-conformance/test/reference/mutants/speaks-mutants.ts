import type { Mutant } from '../mutant.ts';

import { CREDENTIAL_MUTANTS } from './credential-mutants.ts';
import { DISCOVERY_MUTANTS } from './discovery-mutants.ts';
import { PROBLEM_MUTANTS } from './problem-mutants.ts';
import { REQUEST_MUTANTS } from './request-mutants.ts';
import { SCHEMA_MUTANTS } from './schema-mutants.ts';

/** Faults in discovery, schemas, credentials, problems and header fields. */
export const SPEAKS_MUTANTS: Readonly<Record<string, Mutant>> = {
  ...DISCOVERY_MUTANTS,
  ...SCHEMA_MUTANTS,
  ...CREDENTIAL_MUTANTS,
  ...REQUEST_MUTANTS,
  ...PROBLEM_MUTANTS,
};
