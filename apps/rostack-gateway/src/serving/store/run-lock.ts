import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { defineError } from 'rostack-core';
import { isLocked } from './is-locked.ts';

/** A process is using the database, so it cannot be replaced. */
export class DatabaseInUseError extends defineError('DatabaseInUseError', 'database_in_use', true) {
  constructor(file: string) {
    super(`${file} is in use: stop the gateways and imports that run on it`);
  }
}

/**
 * Marks a SQLite database as in use until this process ends, no matter how, by a lock of the operating system on a small separate database.
 * Any number of processes may use the database, but none while it is being restored.
 * @throws DatabaseInUseError `database_in_use` while it is being restored
 */
export function holdRunLock(file: string): Disposable {
  const lock = openLock(file);
  try {
    lock.exec('begin');
    lock.prepare('select count(*) from sqlite_schema').get();
  } catch (error) {
    lock.close();
    throw toInUse(error, file);
  }
  return { [Symbol.dispose]: () => void lock.close() };
}

/** Keeps every process away from a SQLite database. @throws DatabaseInUseError `database_in_use` */
export function holdAlone(file: string): Disposable {
  const lock = openLock(file);
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    throw toInUse(error, file);
  }
  return { [Symbol.dispose]: () => void lock.close() };
}

function openLock(file: string): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return new Sqlite(`${file}.lock`, { timeout: 0 });
}

function toInUse(error: unknown, file: string): unknown {
  return isLocked(error) ? new DatabaseInUseError(file) : error;
}
