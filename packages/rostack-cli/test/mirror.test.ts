import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describePooler, startPooler } from 'test-support/pooler';
import { queryPostgres } from 'test-support/postgres';
import { seededNumbers } from 'test-support/seeded-random';
import { temporaryFolder } from 'test-support/temporary-folder';
import { testRuns } from 'test-support/test-runs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Station, station } from '../../rostack-client/test/support/observatory.ts';
import { TestGateway } from '../../rostack-client/test/support/test-gateway.ts';
import { trustingEnvironment } from '../../rostack-client/test/support/trust.ts';
import { type MirroredTable, postgresTable, sqliteTable } from './support/mirrored-table.ts';
import { runCommand, startCli } from './support/run-cli.ts';

const CLI = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const KILLS = testRuns(1);

let stack: AsyncDisposableStack;
let gateway: TestGateway;
let folder: string;
let token: string;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  folder = stack.use(await temporaryFolder()).path;
  gateway = stack.use(await TestGateway.start());
  ({ token } = gateway.token());
});
afterEach(() => stack.disposeAsync());

describe.each([
  ['SQLite', () => sqliteTable(folder)],
  ['PostgreSQL', postgresTable],
] as const)('a mirror in %s', (_name, open) => {
  let table: MirroredTable;
  let environment: Record<string, string>;
  beforeEach(async () => {
    table = stack.use(await open());
    environment = { ROSTACK_TOKEN: token, ...table.environment };
  });

  const argv = (...more: string[]): string[] => ['mirror', gateway.url, 'stations', ...table.argv, ...more];
  const byId = (...stations: readonly Station[]) => new Map(stations.map((one) => [one.id, one]));

  test('holds the records, then goes on from its cursor', async () => {
    const all = Array.from({ length: 250 }, (_, number) => station(number));
    await gateway.put('stations', ...all);
    const first = await runCommand(argv('--once'), { environment });
    expect(first).toEqual({ code: 0, output: '', errors: 'initial: 250 records\n' });
    expect(await table.records()).toEqual(byId(...all));
    await gateway.put('stations', station(3, { altitude: 9_999 }), station(500));
    await gateway.remove('stations', station(7).id);
    const second = await runCommand(argv('--once'), { environment });
    expect(second).toEqual({ code: 0, output: '', errors: 'restored: 250 records\n' });
    const after = byId(...all, station(500), station(3, { altitude: 9_999 }));
    after.delete(station(7).id);
    expect(await table.records()).toEqual(after);
  });

  test('holds what matches, and starts anew with another filter', async () => {
    await gateway.put('stations', ...Array.from({ length: 9 }, (_, number) => station(number)));
    const filtered = (region: string) =>
      argv('--once', '--filter', JSON.stringify({ '/region': { eq: region } }));
    await runCommand(filtered('제주'), { environment });
    expect([...(await table.records()).keys()].sort()).toEqual([1, 4, 7].map((number) => station(number).id));
    const { errors } = await runCommand(filtered('seoul'), { environment });
    expect(errors).toBe('replaced: 3 records\n');
    expect([...(await table.records()).keys()].sort()).toEqual([2, 5, 8].map((number) => station(number).id));
  });

  test('killed while it reads the first snapshot it goes on from what it has read', async () => {
    const pageSize = 5;
    const pages = 200;
    await using paged = await TestGateway.start({ maxPageSize: pageSize });
    const all = Array.from({ length: pageSize * pages }, (_, number) => station(number));
    await paged.put('stations', ...all);
    environment = { ...environment, ROSTACK_TOKEN: paged.token().token };
    const pagesRead = () => paged.requests.filter((path) => path.includes('limit=')).length;
    const mirror = ['mirror', paged.url, 'stations', ...table.argv];
    const child = startProcess(mirror, { ...(await trustingEnvironment(folder)), ...environment });
    await vi.waitUntil(() => pagesRead() > pages * 0.6, { timeout: 30_000, interval: 1 });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect((await table.records()).size).toBe(0);
    const before = pagesRead();
    const { code, errors } = await runCommand([...mirror, '--once'], { environment });
    expect({ code, errors }).toEqual({ code: 0, errors: `initial: ${all.length} records\n` });
    expect(await table.records()).toEqual(byId(...all));
    // Each of four chains keeps ten pages at a time.
    expect(pagesRead() - before).toBeLessThan(pages * 0.8);
    expect(await table.parts()).toBe(0);
  });

  test('follows while it runs, and keeps another mirror out', async () => {
    const running = startCli(argv(), { environment });
    await vi.waitUntil(() => gateway.gateway.status.subscriptions > 0, {
      timeout: 20_000,
      interval: 50,
    });
    await gateway.put('stations', station(1));
    await vi.waitUntil(async () => (await table.records()).size === 1, { timeout: 20_000, interval: 50 });
    const other = await runCommand(argv('--once'), { environment });
    expect(other.code).toBe(1);
    expect(other.errors).toMatch(/another mirror fills the table/);
    running.stop();
    expect((await running.result).code).toBe(0);
  });

  test('touches no table that is not its own', async () => {
    await table.occupy();
    const { code, errors } = await runCommand(argv('--once'), { environment });
    expect(code).toBe(1);
    expect(errors).toMatch(
      /stations already exists and is not a mirror of this command: name another one with --table/,
    );
  });

  test('killed at any moment it loses nothing and writes nothing twice', {
    timeout: 60_000 + KILLS * 60_000,
  }, async () => {
    const random = seededNumbers();
    await gateway.put('stations', station(0));
    await runCommand(argv('--once'), { environment });
    await table.audit();
    const expected = byId(station(0));
    const writing = { isOver: false };
    const write = async (): Promise<void> => {
      for (let altitude = 1; !writing.isOver; altitude += 1) {
        const changed = Array.from({ length: 5 }, () => station(Math.floor(random() * 40), { altitude }));
        const [gone] = changed;
        await gateway.put('stations', ...byId(...changed).values());
        for (const one of changed) expected.set(one.id, one);
        if (gone !== undefined && altitude % 3 === 0) {
          await gateway.remove('stations', gone.id);
          expected.delete(gone.id);
        }
        await delay(25);
      }
    };
    const written = write();
    const trusting = { ...(await trustingEnvironment(folder)), ...environment };
    let notesBefore = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = startProcess(argv(), trusting);
      const before = notesBefore;
      await vi.waitUntil(async () => (await table.notes()).length > before, {
        timeout: 30_000,
        interval: 50,
      });
      await delay(random() * 200);
      child.kill('SIGKILL');
      await once(child, 'close');
      notesBefore = (await table.notes()).length;
    }
    writing.isOver = true;
    await written;
    const last = await runCommand(argv('--once'), { environment });
    expect(last.code, last.errors).toBe(0);
    expect(last.errors).toMatch(/^restored/);
    expect(await table.records()).toEqual(expected);
    const notes = await table.notes();
    expect(notes.filter((note) => note.endsWith('snapshot'))).toEqual([]);
    expect(new Set(notes).size).toBe(notes.length);
  });
});

function startProcess(argv: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=workspace-source', CLI, ...argv], {
    env,
    stdio: 'ignore',
  });
  stack.defer(() => void child.kill('SIGKILL'));
  return child;
}

test('the URL of a database is not taken from the command line, nor shown', async () => {
  const url = 'postgres://somebody:secret@db.example/records';
  const argv = ['mirror', gateway.url, 'stations'];
  const given = await runCommand([...argv, url], { environment: { ROSTACK_TOKEN: token } });
  expect(given.code).toBe(2);
  expect(given.errors).toContain('in the environment variable DATABASE_URL');
  const unreachable = await runCommand(argv, {
    environment: { ROSTACK_TOKEN: token, DATABASE_URL: 'postgres://somebody:secret@localhost:9/records' },
  });
  expect(unreachable.code).toBe(1);
  expect(unreachable.errors).toContain('the database cannot be reached: nothing listens there');
  expect(given.errors + unreachable.errors).not.toContain('secret');
});

describe('what PostgreSQL cannot do', () => {
  test('a record that jsonb does not hold is named, and none of its batch is written', async () => {
    await using table = await postgresTable();
    const environment = { ROSTACK_TOKEN: token, ...table.environment };
    const argv = ['mirror', gateway.url, 'stations', ...table.argv, '--once'];
    await gateway.put('stations', station(0));
    expect((await runCommand(argv, { environment })).code).toBe(0);
    await gateway.put(
      'stations',
      station(1),
      station(2, { name: 'half\\u0000' }),
      station(3, { name: '\u0000' }),
    );
    const { code, errors } = await runCommand(argv, { environment });
    expect(code).toBe(1);
    expect(errors).toContain(
      `error: the record ${JSON.stringify(station(3).id)} has U+0000 or half a surrogate pair in a string, which jsonb of PostgreSQL cannot hold: mirror into a SQLite file\n`,
    );
    expect([...(await table.records()).keys()]).toEqual([station(0).id]);
  });
});

describePooler('a pooler in front of PostgreSQL', () => {
  test('is told: it would share the session whose lock keeps other mirrors out', async () => {
    await using pooler = await startPooler('transaction');
    const argv = ['mirror', gateway.url, 'stations', '--table', 'mirror_pooled'];
    const { code, errors } = await runCommand(argv, {
      environment: { ROSTACK_TOKEN: token, DATABASE_URL: pooler.url },
    });
    expect(code).toBe(1);
    expect(errors).toContain('the URL leads to a connection pooler');
    expect(await queryPostgres("select to_regclass('mirror_pooled') as made")).toEqual([{ made: null }]);
  });
});
