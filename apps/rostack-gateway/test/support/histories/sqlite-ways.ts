import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openStore, restoreSqlite } from 'rostack-store';
import type { Database, WayBack } from './way-back.ts';

const COMPANIONS = ['-wal', '-shm'];

/** The files of one database. */
interface Files {
  readonly file: string;
  readonly copy: string;
}

type Parts = Pick<Database, 'remember' | 'goBack'> & Partial<Database>;

function way(
  name: string,
  parts: (files: Files) => Parts,
  options: Partial<Pick<WayBack, 'isNewEpoch' | 'told'>> = {},
): WayBack {
  return {
    name: `SQLite: ${name}`,
    told: [],
    ...options,
    create: async (folder) => {
      const file = join(folder, 'store.db');
      return {
        url: `sqlite:${file}`,
        isLive: false,
        [Symbol.asyncDispose]: () => Promise.resolve(),
        ...parts({ file, copy: join(folder, 'copy.db') }),
      };
    },
  };
}

export const SQLITE_WAYS: readonly WayBack[] = [
  way(
    'its file copied while it is stopped, and moved back',
    ({ file, copy }) => ({
      isCopiedStopped: true,
      remember: () => copyFile(file, copy),
      goBack: async () => {
        for (const suffix of COMPANIONS) await rm(`${file}${suffix}`, { force: true });
        await rename(copy, file);
      },
    }),
    { told: ['database_moved'] },
  ),
  way('its file copied hot, with its log', ({ file, copy }) => ({
    remember: () => copyHot(file, copy),
    goBack: () => putBack(copy, file, ['-wal']),
  })),
  way('its file copied hot, without its log', ({ file, copy }) => ({
    remember: async () => {
      checkpoint(file);
      await copyFile(file, copy);
    },
    goBack: () => putBack(copy, file, []),
  })),
  way(
    'its log deleted after a crash',
    ({ file, copy }) => {
      let reader: Sqlite.Database | undefined;
      return {
        remember: async () => {
          checkpoint(file);
          reader = startReading(file);
        },
        beforeStop: async () => {
          await copyHot(file, copy);
          reader?.close();
        },
        goBack: () => putBack(copy, file, ['-shm']),
      };
    },
    { told: ['wal_damaged'] },
  ),
  way(
    'its log cut off in the middle after a crash',
    ({ file, copy }) => {
      let keptBytes = 0;
      return {
        remember: async () => {
          keptBytes = (await stat(`${file}-wal`)).size + 1_000;
        },
        beforeStop: () => copyHot(file, copy),
        goBack: async () => {
          await putBack(copy, file, ['-wal', '-shm']);
          await truncate(`${file}-wal`, keptBytes);
        },
      };
    },
    { told: ['wal_damaged'] },
  ),
  way('a file written over it by SQLite while gateways run', ({ file, copy }) => ({
    isLive: true,
    remember: () => backUp(file, copy),
    goBack: () => backUp(copy, file),
  })),
  way(
    'a backup restored',
    ({ file, copy }) => ({
      remember: async () => {
        const store = await openStore({ url: `sqlite:${file}`, resources: [] });
        await store.backUp(copy);
        await store.close();
      },
      goBack: async () => {
        for (const suffix of ['', ...COMPANIONS]) await rm(`${file}${suffix}`, { force: true });
        await restoreSqlite(copy, file);
      },
    }),
    { isNewEpoch: true, told: ['database_moved'] },
  ),
];

/** Copies the log into the file, and empties it. */
function checkpoint(file: string): void {
  const database = new Sqlite(file);
  database.pragma('wal_checkpoint(truncate)');
  database.close();
}

/** Who reads what is in the file now keeps later changes in the log, which the gateway's own checkpoints would empty. */
function startReading(file: string): Sqlite.Database {
  const reader = new Sqlite(file);
  reader.exec('begin; select count(*) from sqlite_schema');
  return reader;
}

async function copyHot(file: string, copy: string): Promise<void> {
  for (const suffix of ['', ...COMPANIONS]) await copyFile(`${file}${suffix}`, `${copy}${suffix}`);
}

async function putBack(copy: string, file: string, companions: readonly string[]): Promise<void> {
  for (const suffix of COMPANIONS) await rm(`${file}${suffix}`, { force: true });
  for (const suffix of ['', ...companions]) await copyFile(`${copy}${suffix}`, `${file}${suffix}`);
}

/** What `.backup` and `.restore` of SQLite's own shell do: a copy in one transaction, which processes that run see as another's. */
async function backUp(from: string, to: string): Promise<void> {
  const source = new Sqlite(from);
  await source.backup(to);
  source.close();
}
