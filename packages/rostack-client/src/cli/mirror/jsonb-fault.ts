import type { StoredRecord } from '../../store/state-store.ts';
import { MirrorError } from './mirror-target.ts';

/** U+0000 or half a surrogate pair, as JSON.stringify escapes them. */
const REFUSED = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** What is told of records that could not be written: which one jsonb refuses, or the error itself where none is. */
export function jsonbFault(records: readonly StoredRecord[], error: unknown): unknown {
  const refused = records.find(({ record }) => REFUSED.test(JSON.stringify(record)));
  if (refused === undefined) return error;
  return new MirrorError(
    `the record ${JSON.stringify(refused.id)} has U+0000 or half a surrogate pair in a text, which jsonb of PostgreSQL cannot hold: mirror into a SQLite file`,
    { cause: error },
  );
}
