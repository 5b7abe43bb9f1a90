import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** A table that a mirror fills, read by somebody else. */
export interface MirroredTable extends AsyncDisposable {
  /** Arguments of the command that name it. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Records by id. */
  records(): Promise<ReadonlyMap<string, unknown>>;
  /** From now on each row that is written leaves a note of its version. */
  audit(): Promise<void>;
  /** The notes, in the order of writing. */
  notes(): Promise<readonly string[]>;
  /** How many parts of snapshots wait next to it. */
  parts(): Promise<number>;
  /** Makes a table of that name that is no mirror. */
  occupy(): Promise<void>;
}

export function sqliteTable(folder: string): MirroredTable {
  const path = `${folder}/mirror.db`;
  const using = <R>(action: (database: DatabaseSync) => R): R => {
    const database = new DatabaseSync(path, { timeout: 10_000 });
    try {
      return action(database);
    } finally {
      database.close();
    }
  };
  const note = "INSERT INTO note (text) VALUES (new.id || ' ' || coalesce(new.version, 'snapshot'))";
  return {
    argv: [path],
    environment: {},
    records: async () =>
      using(
        (database) =>
          new Map(
            database
              .prepare('SELECT id, record FROM stations')
              .all()
              .map(({ id, record }) => [String(id), JSON.parse(String(record)) as unknown]),
          ),
      ),
    audit: async () =>
      using((database) =>
        database.exec(`CREATE TABLE note (position INTEGER PRIMARY KEY, text TEXT);
          CREATE TRIGGER inserted AFTER INSERT ON stations BEGIN ${note}; END;
          CREATE TRIGGER updated AFTER UPDATE ON stations BEGIN ${note}; END`),
      ),
    notes: async () =>
      using((database) =>
        database
          .prepare('SELECT text FROM note ORDER BY position')
          .all()
          .map(({ text }) => String(text)),
      ),
    parts: async () =>
      using((database) => Number(database.prepare('SELECT count(*) AS n FROM rostack_mirror_part').get()?.n)),
    occupy: async () => using((database) => database.exec('CREATE TABLE stations (id TEXT)')),
    [Symbol.asyncDispose]: async () => {},
  };
}

const DATABASE_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

/** In a schema of its own, which goes away with it. */
export async function postgresTable(): Promise<MirroredTable> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const schema = `mirror_${process.pid}_${Date.now()}`;
  await client.query(`CREATE SCHEMA ${schema}`);
  const rows = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows;
  return {
    argv: ['--table', `${schema}.stations`],
    environment: { DATABASE_URL },
    records: async () =>
      new Map(
        (await rows(`SELECT id, record FROM ${schema}.stations`)).map(({ id, record }) => [
          String(id),
          record,
        ]),
      ),
    audit: async () => {
      await client.query(`CREATE TABLE ${schema}.note (position bigserial PRIMARY KEY, text text);
        CREATE FUNCTION ${schema}.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO ${schema}.note (text) VALUES (new.id || ' ' || coalesce(new.version, 'snapshot')); RETURN new;
        END $$;
        CREATE TRIGGER noted AFTER INSERT OR UPDATE ON ${schema}.stations FOR EACH ROW EXECUTE FUNCTION ${schema}.note()`);
    },
    notes: async () =>
      (await rows(`SELECT text FROM ${schema}.note ORDER BY position`)).map(({ text }) => String(text)),
    parts: async () => Number((await rows(`SELECT count(*) AS n FROM ${schema}.rostack_mirror_part`))[0]?.n),
    occupy: async () => void (await client.query(`CREATE TABLE ${schema}.stations (id text)`)),
    [Symbol.asyncDispose]: async () => {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}
