import { closeSync, openSync } from 'node:fs';
import { hasCode } from 'rostack-core';

/** Only the owner may read records and verifiers of tokens. SQLite gives its other files the mode of the database. */
const OWNER_ONLY = 0o600;

/** Creates a file that only its owner can read, unless it exists. */
export function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
