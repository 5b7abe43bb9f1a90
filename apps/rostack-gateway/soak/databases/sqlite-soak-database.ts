import { join } from 'node:path';
import type { SoakDatabase } from './soak-database.ts';

/** One file; its writers are other processes than the gateway. */
export function createSqliteSoakDatabase(folder: string): SoakDatabase {
  const url = `sqlite:${join(folder, 'soak.db')}`;
  return {
    kind: 'sqlite',
    url,
    directUrl: url,
    hints: undefined,
    loseHints: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
