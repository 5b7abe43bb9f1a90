import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';

/** Identifies a file by where it is stored; undefined for a database in memory. */
export function originOf({ memory, name }: Sqlite.Database): string | undefined {
  if (memory) return undefined;
  const { ino, birthtimeNs } = statSync(name, { bigint: true });
  return `file ${ino} of ${birthtimeNs}`;
}
