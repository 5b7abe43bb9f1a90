import { resolve } from 'node:path';
import { sqliteFileOf } from '../text/sqlite-url.ts';
import type { CatalogueTable } from './catalogue/catalogue.ts';
import { connectPostgres } from './catalogue/connect-postgres.ts';
import { readPostgresCatalogue } from './catalogue/postgres-catalogue.ts';
import { type MissingRights, missingRights } from './catalogue/postgres-rights.ts';
import { readSqliteCatalogue } from './catalogue/sqlite-catalogue.ts';
import { ChoiceError } from './choose-columns.ts';
import { URL_VARIABLE } from './project-files.ts';
import { readFileTable } from './read-file-table.ts';

/** The schema of the gateway's own tables, unless the configuration names another. */
const OWN_SCHEMA = 'rostack';

/** A database whose tables are to be published. */
export interface DataSource extends AsyncDisposable {
  /** For people, and for the id of the implementation. */
  readonly name: string;
  /** `store.url` as YAML; undefined if records are imported into a file in the data folder. */
  readonly storeUrl: string | undefined;
  readonly tables: readonly CatalogueTable[];
  /** Finds the privileges that the role lacks to publish these tables. */
  readonly rights: (tables: readonly CatalogueTable[]) => Promise<MissingRights>;
}

export const isPostgres = (source: string): boolean => /^postgres(?:ql)?:\/\//.test(source);
export const isFile = (source: string): boolean => /\.(?:ndjson|jsonl|csv|tsv)(?:\.gz)?$/i.test(source);

/**
 * Reads the catalogue of a database, or the records of a file; writes nothing.
 * @param key member of a file's records that is their id; undefined: the likeliest one
 * @throws ChoiceError for anything else; DatabaseUnreachableError
 */
export async function openDataSource(source: string, key?: string): Promise<DataSource> {
  if (isPostgres(source)) return openPostgres(source);
  const sqliteFile = sqliteFileOf(source);
  if (sqliteFile !== undefined) return openSqlite(sqliteFile);
  if (isFile(source)) return openFile(source, key);
  throw new ChoiceError(
    'write where the data is: postgres://user@host:port/database, sqlite:FILE, or a file that ends in .ndjson or .csv',
  );
}

async function openPostgres(url: string): Promise<DataSource> {
  const client = await connectPostgres(url);
  try {
    const tables = await readPostgresCatalogue(client, OWN_SCHEMA);
    return {
      name: decodeURIComponent(new URL(url).pathname.slice(1)) || 'data',
      storeUrl: `  url: { env: ${URL_VARIABLE} }`,
      tables,
      rights: (chosen) => missingRights(client, chosen, OWN_SCHEMA),
      [Symbol.asyncDispose]: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function openSqlite(file: string): Promise<DataSource> {
  const { default: Database } = await import('better-sqlite3');
  const path = resolve(file);
  let database: InstanceType<typeof Database>;
  try {
    database = new Database(path, { readonly: true, fileMustExist: true });
  } catch (error) {
    throw new ChoiceError(`the SQLite file ${path} cannot be opened`, { cause: error });
  }
  try {
    return {
      name: /([^/\\]+?)(?:\.[^.]*)?$/.exec(path)?.[1] ?? 'data',
      storeUrl: `  url: ${JSON.stringify(`sqlite:${path}`)}`,
      tables: readSqliteCatalogue(database),
      rights: async () => NO_RIGHTS,
      [Symbol.asyncDispose]: async () => {},
    };
  } finally {
    database.close();
  }
}

async function openFile(file: string, key: string | undefined): Promise<DataSource> {
  const name = /([^/\\]+?)\.[^/\\]*$/.exec(file)?.[1] ?? 'records';
  return {
    name,
    storeUrl: undefined,
    tables: [await readFileTable(file, name, key)],
    rights: async () => NO_RIGHTS,
    [Symbol.asyncDispose]: async () => {},
  };
}

const NO_RIGHTS: MissingRights = { role: '', missing: [], statements: [] };
