import { Client } from 'pg';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { attachTable, type Mover, openStore, type Store, type StoreAlarm, startMover } from '../src/index.ts';
import { equal, following, QUICK } from './support/attached.ts';
import { postgres, type TestDatabase } from './support/databases.ts';
import { type AppTable, appTable, observations } from './support/observations.ts';

const PATIENT = { timeout: 60_000, interval: 20 };

/** A URL with which a role logs in. */
function urlOf(role: string): string {
  const url = new URL(POSTGRES_URL);
  url.username = role;
  return url.href;
}

describePostgres('what keeps rows from being moved', () => {
  const stack = new AsyncDisposableStack();
  const alarms: StoreAlarm[] = [];
  let database: TestDatabase;
  let app: AppTable;
  let store: Store;
  let mover: Mover;
  let role: string;
  let locker: Client;

  beforeAll(async () => {
    database = stack.use(postgres());
    app = stack.use(await appTable(database));
    role = `${database.schema}_gateway`;
    await app.query(`create role ${role} login; alter schema ${app.schema} owner to ${role};
      alter table ${app.table} owner to ${role};
      do $$ begin execute format('grant create on database %I to ${role}', current_database()); end $$`);
    stack.defer(async () => {
      await app.query(
        `reassign owned by ${role} to current_user; drop owned by ${role} cascade; drop role ${role}`,
      );
    });
    locker = new Client({ connectionString: POSTGRES_URL });
    await locker.connect();
    stack.defer(() => locker.end());
    const url = urlOf(role);
    const onAlarm = (alarm: StoreAlarm) => alarms.push(alarm);
    const { schema } = database;
    store = stack.use(
      await openStore({
        url,
        schema,
        resources: [observations],
        onAlarm,
        readTimeoutMs: 1_000,
        writeTimeoutMs: 1_000,
      }),
    );
    await attachTable(store, 'observations', app.source);
    // The table belongs to somebody else than the gateway, as usual.
    await app.query(`alter table ${app.table} owner to current_user; alter schema ${app.schema} owner to current_user;
      grant usage on schema ${app.schema} to ${role}; grant select on ${app.table} to ${role}`);
    mover = stack.use(startMover(store, { observations: app.source }, QUICK));
    await following(mover);
  }, 120_000);

  afterAll(() => stack.disposeAsync());

  let id = 0;
  const insert = () => app.query(`insert into ${app.table} (id, station) values (${(id += 1)}, 'new')`);
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'R'`;
  const lock = (table: string) => `begin; lock table ${table} in access exclusive mode`;
  const faults: readonly (readonly [
    what: string,
    begin: string,
    over: string,
    code: RegExp,
    advice: string,
  ])[] = [
    [
      'select is revoked',
      'revoke select on T from R',
      'grant select on T to R',
      /42501/,
      'a privilege is missing',
    ],
    [
      'usage of the schema is revoked',
      'revoke usage on schema A from R',
      'grant usage on schema A to R',
      /42501/,
      'a privilege is missing',
    ],
    [
      'the store may not be written',
      'revoke update on S.attachment from R',
      'grant update on S.attachment to R',
      /42501/,
      'a privilege is missing',
    ],
    ['the inbox is locked', lock('S.inbox_1'), 'rollback', /57014|55P03/, 'it takes too long'],
    ['the table is locked', lock('T'), 'rollback', /57014|55P03/, 'it takes too long'],
    [
      'the role may not log in',
      `alter role R nologin; ${end}`,
      'alter role R login',
      /28000/,
      'may not log in',
    ],
    [
      'there are no connections left',
      `alter role R connection limit 0; ${end}`,
      'alter role R connection limit -1',
      /53300/,
      'too many connections',
    ],
  ];

  test.each(faults)(
    '%s: it is failing, for that reason, for as long as that is so',
    async (_what, begin, over, code, advice) => {
      alarms.length = 0;
      const run = (text: string) =>
        locker.query(
          text
            .replace(/\bT\b/g, app.table)
            .replace(/\bA\b/g, app.schema)
            .replace(/\bS\b/g, database.schema)
            .replace(/\bR\b/g, role),
        );
      const isTable = begin.includes('lock table T');
      if (isTable) await insert();
      await run(begin);
      if (!isTable) {
        // Triggers write into the inbox, so with a lock on it a writer waits.
        const writing = begin.includes('inbox') ? undefined : insert();
        await writing;
      }
      const seen = new Set<string>();
      await vi.waitFor(() => {
        const [status] = mover.status;
        if (seen.has('failing')) seen.add(status?.state ?? '');
        if (status?.state === 'failing' && code.test(status.fault?.code ?? '')) seen.add('failing');
        expect(status?.fault?.failures).toBeGreaterThan(2);
      }, PATIENT);
      expect([...seen]).toEqual(['failing']);
      const [status] = mover.status;
      expect(status?.fault?.code).toMatch(code);
      expect(status?.fault?.advice).toContain(advice);
      expect(status?.oldestUnmovedMs).toBeGreaterThan(500);
      await run(over);
      await vi.waitFor(
        () => expect(mover.status[0]).toMatchObject({ state: 'following', fault: undefined }),
        PATIENT,
      );
      await vi.waitFor(() => expect(mover.status[0]?.oldestUnmovedMs).toBe(0), PATIENT);
      await equal({ app, store });
      const ofMover = alarms.filter(({ code: kind }) => kind.startsWith('move_'));
      expect(ofMover.filter(({ message }) => code.test(message))).toHaveLength(1);
      expect(ofMover.map(({ code: kind }) => kind).filter((kind) => kind === 'move_resumed')).toHaveLength(1);
      expect(ofMover.at(-1)?.code).toBe('move_resumed');
    },
    120_000,
  );

  test.each([
    ['a trigger is disabled', 'alter table T disable trigger G', 'alter table T enable trigger G', 'trigger'],
    [
      'the table has another name',
      'alter table T rename to elsewhere',
      'alter table A.elsewhere rename to observations',
      'name: ',
    ],
  ])(
    '%s: it is stopped until that is taken back',
    async (_what, begin, over, reason) => {
      const [trigger] = await app.query(
        `select tgname from pg_trigger where tgrelid = '${app.table}'::regclass and tgenabled = 'O' limit 1`,
      );
      const run = (text: string) =>
        app.query(
          text
            .replace(/\bT\b/g, app.table)
            .replace(/\bA\b/g, app.schema)
            .replace(/\bG\b/g, String(trigger?.['tgname'])),
        );
      await run(begin);
      await vi.waitFor(() => {
        expect(mover.status).toMatchObject([{ state: 'stopped', reason: expect.stringContaining(reason) }]);
      }, PATIENT);
      await run(over);
      await vi.waitFor(
        () => expect(mover.status).toMatchObject([{ state: 'following', reason: undefined }]),
        PATIENT,
      );
      await equal({ app, store });
    },
    120_000,
  );
});
