import { Client } from 'pg';
import { POSTGRES_URL } from 'test-support/postgres';
import { expect, vi } from 'vitest';
import {
  attachTable,
  type Mover,
  openStore,
  type Store,
  type StoreAlarm,
  startMover,
} from '../../src/index.ts';
import { equal, following, QUICK } from './attached.ts';
import { postgres, type TestDatabase } from './databases.ts';
import { type AppTable, appTable, observations } from './observations.ts';
import { PostgresGate } from './postgres-gate.ts';

const PATIENT = { timeout: 60_000, interval: 20 };

/** What keeps rows from being moved, and how it is taken back: `T` is the table, `A` its schema, `S` the store's, `R` its role. */
export interface MoveFaultScenario {
  readonly what: string;
  readonly begin: string;
  readonly over: string;
  readonly code: RegExp;
  readonly advice: string;
}

/** A mover whose role owns nothing of the application, through a gate, and the hand that breaks things. */
export class FaultSetting implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #locker: Client;
  readonly #role: string;
  readonly #database: TestDatabase;
  readonly app: AppTable;
  readonly store: Store;
  readonly mover: Mover;
  readonly gate: PostgresGate;
  readonly alarms: StoreAlarm[];
  #id = 0;

  private constructor(
    parts: Pick<FaultSetting, 'app' | 'store' | 'mover' | 'gate' | 'alarms'>,
    own: { stack: AsyncDisposableStack; locker: Client; role: string; database: TestDatabase },
  ) {
    ({ app: this.app, store: this.store, mover: this.mover, gate: this.gate, alarms: this.alarms } = parts);
    this.#stack = own.stack;
    this.#locker = own.locker;
    this.#role = own.role;
    this.#database = own.database;
  }

  static async make(): Promise<FaultSetting> {
    const stack = new AsyncDisposableStack();
    const database = stack.use(postgres());
    const app = stack.use(await appTable(database));
    const role = `${database.schema}_gateway`;
    await app.query(`create role ${role} login; alter schema ${app.schema} owner to ${role};
      alter table ${app.table} owner to ${role};
      do $$ begin execute format('grant create on database %I to ${role}', current_database()); end $$`);
    stack.defer(async () => {
      await app.query(
        `reassign owned by ${role} to current_user; drop owned by ${role} cascade; drop role ${role}`,
      );
    });
    const locker = new Client({ connectionString: POSTGRES_URL });
    await locker.connect();
    stack.defer(() => locker.end());
    const gate = stack.use(new PostgresGate());
    await gate.open();
    const url = new URL(POSTGRES_URL);
    url.username = role;
    url.hostname = '127.0.0.1';
    url.port = String(gate.port);
    const alarms: StoreAlarm[] = [];
    const store = stack.use(
      await openStore({
        url: url.href,
        schema: database.schema,
        resources: [observations],
        onAlarm: (alarm) => alarms.push(alarm),
        readTimeoutMs: 1_000,
        writeTimeoutMs: 1_000,
      }),
    );
    await attachTable(store, 'observations', app.source);
    // The table belongs to somebody else than the gateway, as usual.
    await app.query(`alter table ${app.table} owner to current_user; alter schema ${app.schema} owner to current_user;
      grant usage on schema ${app.schema} to ${role}; grant select on ${app.table} to ${role}`);
    const mover = stack.use(startMover(store, { observations: app.source }, QUICK));
    await following(mover);
    return new FaultSetting({ app, store, mover, gate, alarms }, { stack, locker, role, database });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  insert(): Promise<unknown> {
    this.#id += 1;
    return this.app.query(`insert into ${this.app.table} (id, station) values (${this.#id}, 'new')`);
  }

  /** Runs statements on the connection that holds locks. */
  async run(text: string): Promise<void> {
    await this.#locker.query(
      text
        .replace(/\bT\b/g, this.app.table)
        .replace(/\bA\b/g, this.app.schema)
        .replace(/\bS\b/g, this.#database.schema)
        .replace(/\bR\b/g, this.#role),
    );
  }
}

/** Expects that rows cannot be moved for this reason and no other from `begin` until `over`, and that all is told once. */
export async function fails(
  at: FaultSetting,
  { code, advice }: Pick<MoveFaultScenario, 'code' | 'advice'>,
  begin: () => Promise<unknown>,
  over: () => Promise<unknown>,
): Promise<void> {
  const { mover, alarms } = at;
  alarms.length = 0;
  await begin();
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
  await over();
  await vi.waitFor(
    () => expect(mover.status[0]).toMatchObject({ state: 'following', fault: undefined }),
    PATIENT,
  );
  await vi.waitFor(() => expect(mover.status[0]?.oldestUnmovedMs).toBe(0), PATIENT);
  await equal(at);
  // A move that was on its way when its session was ended fails for that, once, before it fails for the reason: by what the
  // server said last, or by the end of the connection.
  const isOfSession = (message: string) => !message.includes(advice) && /57P01|ECONNRESET/.test(message);
  const ofMover = alarms.filter(
    ({ code: kind, message }) => kind.startsWith('move_') && !isOfSession(message),
  );
  expect(ofMover[0]?.message).toContain(advice);
  // What is mended in the same way is told once, whichever of its codes came first.
  expect(ofMover.filter(({ message }) => message.includes(advice))).toHaveLength(1);
  expect(ofMover.filter(({ code: kind }) => kind === 'move_resumed')).toHaveLength(1);
  expect(ofMover.at(-1)?.code).toBe('move_resumed');
}

/** The same for what statements bring about, with a row that waits meanwhile. */
export function failsBy(at: FaultSetting, { begin, over, ...told }: MoveFaultScenario): Promise<void> {
  const isTable = begin.includes('lock table T');
  return fails(
    at,
    told,
    async () => {
      if (isTable) await at.insert();
      await at.run(begin);
      // Triggers write into the inbox, so with a lock on it a writer waits.
      if (!isTable && !begin.includes('inbox')) await at.insert();
    },
    () => at.run(over),
  );
}

/** Expects that the table is stopped for a reason, and follows again once `over` has run. */
export async function stops(
  at: FaultSetting,
  begin: string,
  over: () => Promise<unknown>,
  reason: string,
): Promise<void> {
  at.alarms.length = 0;
  await at.run(begin);
  await vi.waitFor(() => {
    expect(at.mover.status).toMatchObject([{ state: 'stopped', reason: expect.stringContaining(reason) }]);
  }, PATIENT);
  expect(at.alarms[0]).toMatchObject({
    code: 'attachment_stopped',
    message: expect.stringContaining(reason),
  });
  await over();
  await vi.waitFor(
    () => expect(at.mover.status).toMatchObject([{ state: 'following', reason: undefined }]),
    PATIENT,
  );
}

const LOCK = 'begin; lock table';
const MODE = 'in access exclusive mode';
const END = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'R'`;
const PRIVILEGE = { code: /42501/, advice: 'a privilege is missing' };
const TOO_LONG = { code: /57014|55P03/, advice: 'it takes too long' };

/** By what is broken. */
export const SCENARIOS = {
  select: {
    what: 'select is revoked',
    begin: 'revoke select on T from R',
    over: 'grant select on T to R',
    ...PRIVILEGE,
  },
  usage: {
    what: 'usage of the schema is revoked',
    begin: 'revoke usage on schema A from R',
    over: 'grant usage on schema A to R',
    ...PRIVILEGE,
  },
  store: {
    what: 'the store may not be written',
    begin: 'revoke update on S.attachment from R',
    over: 'grant update on S.attachment to R',
    ...PRIVILEGE,
  },
  inbox: { what: 'the inbox is locked', begin: `${LOCK} S.inbox_1 ${MODE}`, over: 'rollback', ...TOO_LONG },
  table: { what: 'the table is locked', begin: `${LOCK} T ${MODE}`, over: 'rollback', ...TOO_LONG },
  login: {
    what: 'the role may not log in',
    begin: `alter role R nologin; ${END}`,
    over: 'alter role R login',
    code: /28000/,
    advice: 'may not log in',
  },
  connections: {
    what: 'there are no connections left',
    begin: `alter role R connection limit 0; ${END}`,
    over: 'alter role R connection limit -1',
    code: /53300/,
    advice: 'too many connections',
  },
} as const satisfies Readonly<Record<string, MoveFaultScenario>>;
