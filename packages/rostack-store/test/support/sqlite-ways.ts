import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { openStore, restoreSqlite } from '../../src/index.ts';

const COMPANIONS = ['-wal', '-shm'];

/** How a database is put back to an earlier state. */
interface Steps {
  /** Whether stores stay open while it is put back. */
  readonly isLive?: boolean;
  /** Whether stores have to be closed while it is copied. */
  readonly isCopiedClosed?: boolean;
  /** Makes the copy that the database is put back to. */
  readonly remember: () => Promise<void>;
  /** Called before stores close, once the lost history is written. */
  readonly beforeClose?: () => Promise<void>;
  readonly goBack: () => Promise<void>;
}

/** One of the ways in which this happens to people. */
export interface SqliteWay {
  readonly name: string;
  /** Whether even what was handed out before `remember` is void afterwards. */
  readonly isNewEpoch?: boolean;
  /** Alarms of stores that open afterwards: not every way leaves a trace. */
  readonly told: readonly string[];
  /** @param file of the database; its copies are put next to it */
  readonly steps: (file: string) => Steps;
}

function way(
  name: string,
  steps: (files: { readonly file: string; readonly copy: string }) => Steps,
  options: Partial<Pick<SqliteWay, 'isNewEpoch' | 'told'>> = {},
): SqliteWay {
  return { name, told: [], ...options, steps: (file) => steps({ file, copy: `${file}.copy` }) };
}

export const SQLITE_WAYS: readonly SqliteWay[] = [
  way(
    'its file copied while it is closed, and moved back',
    ({ file, copy }) => ({
      isCopiedClosed: true,
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
        beforeClose: async () => {
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
        beforeClose: () => copyHot(file, copy),
        goBack: async () => {
          await putBack(copy, file, ['-wal', '-shm']);
          await truncate(`${file}-wal`, keptBytes);
        },
      };
    },
    { told: ['wal_damaged'] },
  ),
  way('a file written over it by SQLite while stores are open', ({ file, copy }) => ({
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

/** Who reads what is in the file now keeps later changes in the log, which the store's own checkpoints would empty. */
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
