import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { test } from 'vitest';
import { putBackAndCompare } from './support/histories/put-back.ts';

/** What `.backup` and `.restore` of SQLite's own shell do: a copy in one transaction. */
async function backUp(from: string, to: string): Promise<void> {
  const source = new Sqlite(from);
  await source.backup(to);
  source.close();
}

// oxlint-disable-next-line vitest/expect-expect -- what is handed out is compared there
test('what was handed out before a database was written over is refused by every gateway that runs', () =>
  putBackAndCompare({
    told: [],
    create: async (folder) => {
      const [file, copy] = [join(folder, 'store.db'), join(folder, 'copy.db')];
      return {
        url: `sqlite:${file}`,
        isLive: true,
        remember: () => backUp(file, copy),
        goBack: () => backUp(copy, file),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    },
  }));
