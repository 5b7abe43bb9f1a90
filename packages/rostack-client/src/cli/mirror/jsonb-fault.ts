import type { StoredRecord } from '../../store/state-store.ts';
import { MirrorError } from './mirror-target.ts';

/** U+0000 or half a surrogate pair, as JSON.stringify escapes them. */
const REFUSED = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** The error to report for records that could not be written: it names the record that jsonb refuses, if there is one. */
export function jsonbFault(records: readonly StoredRecord[], error: unknown): unknown {
  const refused = records.find(({ record }) => REFUSED.test(JSON.stringify(record)));
  if (refused === undefined) return error;
  return new MirrorError(
    `the record ${JSON.stringify(refused.id)} has U+0000 or half a surrogate pair in a text, which jsonb of PostgreSQL cannot hold: mirror into a SQLite file`,
    { cause: error },
  );
}
