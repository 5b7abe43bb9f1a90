import { randomBytes } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { launchBrowser } from 'test-support/launch-browser';
import { createDatabase, describePostgres, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { openExplorer } from '../../../packages/rostack-explorer/test/support/explorer-page.ts';
import { runCli } from '../src/cli/run-cli.ts';
import { runCommand } from './support/run-command.ts';
import { type GatewayProcess, spawnGateway } from './support/spawn-gateway.ts';

const SHOP = `
  create type status as enum ('new', 'paid', 'sent');
  create table customers (
    id uuid primary key default gen_random_uuid(), full_name text not null, email text, country char(2));
  create table "order" (
    id bigint generated always as identity primary key, status status not null default 'new', total numeric(12, 2) not null,
    placed_at timestamptz not null default '2026-08-13T09:00:00Z', attrs jsonb, note text);
  create index on "order" (placed_at);
  create table order_lines (order_id bigint, line int, sku text not null, primary key (order_id, line));
  create table accounts (email text primary key, visits bigint);
  create table "Odd ""Name"" 1" ("Id" bigint primary key, "a/b~c" text, "select" int[], moment timestamptz);
  create table scribbles (what text);
  insert into customers (full_name, email, country) values ('Kim', 'kim@shop.example', 'KR');
  insert into "order" (total, attrs, note) values (12.50, '{"gift": true}', 'call first');
  insert into order_lines values (1, 1, 'mug');
  insert into "Odd ""Name"" 1" values (9007199254740993, 'x', '{1,2}', '2026-01-01Z'), (9007199254740995, 'y', '{}', 'infinity');
  analyze;`;

/** A database of a shop, and a role that may connect and nothing else. */
async function shop() {
  const database = await createDatabase();
  const role = `shopper_${randomBytes(4).toString('hex')}`;
  await queryPostgres(SHOP, database.url);
  await queryPostgres(`create role ${role} login`);
  const url = new URL(database.url);
  url.username = role;
  return {
    url: url.href,
    role,
    run: (sql: string) => queryPostgres(sql, database.url),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await queryPostgres(`drop role ${role}`);
    },
  };
}

const linkOf = async (serving: GatewayProcess): Promise<string> =>
  (await serving.prints(/(http:\/\/localhost:\d+\/#token=\S+)/))[1] ?? '';

/** Asks for a resource with the token of a link. */
async function listed(link: string, resource: string): Promise<unknown> {
  const { origin, hash } = new URL(link);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const answer = await fetch(`${origin}/api/${resource}`, {
    headers: { authorization: `Rostack-Token ${token}` },
  });
  return ((await answer.json()) as { readonly items: unknown }).items;
}

describePostgres('serve with the URL of a PostgreSQL database', () => {
  test('leads by one command to live events in a browser, and back by detach', async () => {
    await using folder = await temporaryFolder();
    await using database = await shop();
    const { url, role } = database;
    const argv = ['serve', url, '--columns', 'suggested', '--port', '0'];

    await using refused = spawnGateway(argv, { folder: folder.path });
    expect(await refused.exited()).toBe(1);
    expect(refused.stderr).toContain(`the role ${role} lacks what publishing needs`);
    await database.run(refused.stderr.slice(refused.stderr.indexOf('-- Run once')));

    await using serving = spawnGateway(argv, { folder: folder.path });
    const link = await linkOf(serving);
    expect(serving.stderr).toContain('scribbles has no primary key, so it is left out');
    expect(serving.stderr).toContain('full_name (looks personal: a name), email (looks personal: email)');
    expect(await listed(link, 'order')).toEqual([
      { id: 1, status: 'new', total: '12.50', placed_at: '2026-08-13T09:00:00Z', attrs: '{"gift": true}' },
    ]);
    expect(serving.stderr).toContain('accounts: left out, its key email looks personal');
    expect(await listed(link, 'odd-name-1')).toEqual([
      { Id: '9007199254740993', 'a/b~c': 'x', select: [1, 2], moment: '2026-01-01T00:00:00Z' },
    ]);
    expect(serving.stderr).toContain('warning: odd-name-1: 1 row is in quarantine');
    expect(await listed(link, 'order-lines')).toMatchObject([{ row_key: '1,1', sku: 'mug' }]);

    await using browser = await launchBrowser();
    await using tab = await openExplorer(browser, {
      url: link.replace(/resource=[\w-]+/, 'resource=order'),
    });
    await tab.page.locator('.state.live').waitFor();
    expect(tab.page.url()).not.toContain('token');
    await database.run(`insert into "order" (total) values (3)`);
    await tab.page
      .getByRole('region', { name: /^Live events/ })
      .getByText('order.created')
      .waitFor();
    await tab.page.getByRole('tab', { name: 'Records' }).click();
    await tab.page.locator('.request').getByText('sort=/id').waitFor();
    expect(tab.complaints).toEqual([]);

    expect(await serving.stop('SIGINT')).toBe(0);
    expect(serving.stderr).toContain('detach odd-name-1 customers order order-lines');
    await using detached = spawnGateway(['detach', 'customers', 'odd-name-1', 'order', 'order-lines'], {
      folder: folder.path,
      environment: { DATABASE_URL: url },
    });
    expect(await detached.exited()).toBe(0);
    expect(await database.run(`select tgname from pg_trigger where tgname like 'rostack%'`)).toEqual([]);
  });

  test('is told which columns may be seen before anything is written', async () => {
    await using folder = await temporaryFolder();
    await using database = await shop();
    await database.run(`alter role ${database.role} superuser`);
    await using asked = spawnGateway(['serve', database.url], { folder: folder.path });
    expect(await asked.exited()).toBe(2);
    expect(asked.stderr).toContain('[ ] email      text (looks personal: email)');
    expect(asked.stderr).toContain('--columns order_lines=order_id,line,sku');
    expect(await database.run(`select from pg_namespace where nspname = 'rostack'`)).toEqual([]);

    await using unknown = spawnGateway(['serve', database.url, '-t', 'order', '--columns', 'id,statu'], {
      folder: folder.path,
    });
    expect(await unknown.exited()).toBe(1);
    expect(unknown.stderr).toContain('order has no column "statu" that can be published; it has id, status');
  });

  test('is told by somebody at a terminal, table by table', async () => {
    await using folder = await temporaryFolder();
    await using database = await shop();
    await database.run(`alter role ${database.role} superuser`);
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    stdin.end('none\n\n\nid,colour\nid,status\nnone\n');
    const exitCode = await runCli(['init', folder.path, '--from', database.url], {
      environment: {},
      stdin,
      stdout,
      stderr,
      nowMs: Date.now,
      stop: new AbortController().signal,
      onReload: () => () => {},
      fork: () => {
        throw new Error('init has no workers');
      },
      supervisor: undefined,
    });
    stderr.end();
    expect([exitCode, await text(stderr)]).toEqual([
      0,
      expect.stringContaining('order has no column "colour"'),
    ]);
    const config = await readFile(join(folder.path, 'rostack-gateway.yaml'), 'utf8');
    expect(config).toContain('        - status\n');
    expect(config).not.toMatch(/total|full_name|order-lines|accounts|odd-name/);
    const checked = await runCommand(['check-config', '-c', join(folder.path, 'rostack-gateway.yaml')], {
      environment: { DATABASE_URL: database.url },
    });
    expect(checked).toMatchObject({ exitCode: 0 });
  });
});

describe('serve with a SQLite file', () => {
  test('publishes its tables, and what was edited stays when it runs again', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'books.db');
    const database = new Database(file);
    database.exec(`create table books (id integer primary key, title text not null, price real, sold boolean not null, isbn text);
      insert into books values (1, 'One', 3.5, 0, '0012'), (2, 'Two', null, 1, null)`);
    database.close();
    const argv = ['serve', `sqlite:${file}`, '--columns', 'suggested', '--port', '0'];
    const books = [
      { id: 1, title: 'One', price: 3.5, sold: false, isbn: '0012' },
      { id: 2, title: 'Two', price: null, sold: true, isbn: null },
    ];
    await using first = spawnGateway(argv, { folder: folder.path });
    expect(await listed(await linkOf(first), 'books')).toEqual(books);
    expect(await first.stop('SIGINT')).toBe(0);

    const config = join(folder.path, 'rostack-gateway.yaml');
    await appendFile(config, '\n# mine\nlimits: { max_page_size: 1 }\n');
    const edited = await readFile(config, 'utf8');
    await using second = spawnGateway(argv, { folder: folder.path });
    expect(await listed(await linkOf(second), 'books')).toEqual(books.slice(0, 1));
    expect(await readFile(config, 'utf8')).toBe(edited);
    expect(second.stderr).toContain('is used as it is');
  });
});

describe('serve with a file of records', () => {
  test.each([
    [
      'stations.ndjson',
      '{"code":"S1","name":"Seoul","at":{"lat":37.5},"note":"x"}\n{"code":"S2","name":"Busan"}\n',
      [
        { code: 'S1', name: 'Seoul', at: { lat: 37.5 } },
        { code: 'S2', name: 'Busan' },
      ],
    ],
    [
      'stations.csv',
      'code,height,zone,open,note\nS1,38.5,007,true,x\nS2,12,A,false,\n',
      [
        { code: 'S1', height: 38.5, zone: '007', open: true },
        { code: 'S2', height: 12, zone: 'A', open: false },
      ],
    ],
  ])('publishes the records of %s without what looks personal', async (name, content, records) => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, name), content);
    await using serving = spawnGateway(['serve', name, '--columns', 'suggested', '--port', '0'], {
      folder: folder.path,
    });
    expect(await listed(await linkOf(serving), 'stations')).toEqual(records);
    expect(serving.stderr).toContain('not published: note (looks personal: note)');
  });

  test('says what is missing of a source that cannot be published', async () => {
    await using folder = await temporaryFolder();
    const path = (name: string) => join(folder.path, name);
    await writeFile(path('twice.ndjson'), '{"name":"a"}\n{"name":"a"}\n');
    const refusal = async (source: string) =>
      (await runCommand(['serve', source, '-c', path('rostack-gateway.yaml')])).stderr;
    expect(await refusal(path('twice.ndjson'))).toContain('has no member that identifies its records');
    expect(await refusal(path('none.csv'))).toContain('none.csv cannot be read');
    expect(await refusal('mysql://localhost/shop')).toContain(
      'postgres://user@host:port/database, sqlite:FILE',
    );
    expect(await refusal(`sqlite:${path('none.db')}`)).toContain('none.db cannot be opened');
    expect(await refusal('postgres://nobody:secret@127.0.0.1:1/shop')).toMatch(
      /^error: the database shop at 127\.0\.0\.1:1 cannot be opened: connect ECONNREFUSED/,
    );
  });
});
