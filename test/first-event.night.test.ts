import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchBrowser } from 'test-support/launch-browser';
import { createDatabase, describePostgres, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { packPackages } from '../scripts/pack-packages.ts';
import { publishablePackages } from '../scripts/publishable-packages.ts';
import { runUntil } from './support/run-until.ts';

const run = promisify(execFile);
const MAX_MS = 60_000;
const ROWS = 50_000;

/** What people have: an enum, moments, money, JSON, keys of several columns, and what is nobody's business. */
const SHOP = `
  create type status as enum ('new', 'paid', 'sent');
  create table customers (
    id uuid primary key default gen_random_uuid(), full_name text not null, email text, country char(2) not null);
  create table orders (
    id bigint generated always as identity primary key, customer_id uuid not null references customers, status status not null,
    total numeric(12, 2) not null, placed_at timestamptz not null default now(), attrs jsonb);
  create index on orders (placed_at);
  create table order_lines (order_id bigint references orders, line int, sku text not null, quantity int not null,
    primary key (order_id, line));
  insert into customers (full_name, email, country) select 'Name ' || i, i || '@shop.example', 'KR' from generate_series(1, 100) i;
  insert into orders (customer_id, status, total, attrs)
    select (select id from customers limit 1), 'new', i / 7.0, '{"gift": true}' from generate_series(1, ${ROWS}) i;
  insert into order_lines select id, 1, 'sku-' || id % 50, 2 from orders;`;

describePostgres('somebody with a PostgreSQL URL and an empty folder', () => {
  test('sees the first live event in a browser after one command, within a minute', {
    timeout: 600_000,
  }, async () => {
    await using folder = await temporaryFolder();
    await using database = await createDatabase();
    await using browser = await launchBrowser();
    const role = `shopper_${randomBytes(4).toString('hex')}`;
    await queryPostgres(SHOP, database.url);
    await queryPostgres(
      `create role ${role} login; create schema rostack authorization ${role};
       alter table customers owner to ${role}; alter table orders owner to ${role}; alter table order_lines owner to ${role}`,
      database.url,
    );
    try {
      const url = new URL(database.url);
      url.username = role;
      await installed(folder.path);

      const startedMs = performance.now();
      const command = [
        'npx',
        'rostack-gateway',
        'serve',
        url.href,
        '--columns',
        'suggested',
        '--port',
        '0',
      ] as const;
      const serving = await runUntil(/#token=\S+/, command, { cwd: folder.path, env: process.env });
      try {
        const link = /http:\/\/localhost:\d+\/#token=\S+/.exec(serving.output())?.[0] ?? '';
        const page = await browser.newPage();
        await page.goto(link.replace(/resource=[\w-]+/, 'resource=orders'));
        await page.locator('.state.live').waitFor();
        await queryPostgres(`update orders set status = 'paid' where id = 7`, database.url);
        await page
          .getByRole('region', { name: /^Live events/ })
          .getByText('orders.updated')
          .waitFor();
        expect(performance.now() - startedMs).toBeLessThan(MAX_MS);
      } finally {
        await serving.stop();
      }
    } finally {
      await database[Symbol.asyncDispose]();
      await queryPostgres(`drop role ${role}`);
    }
  });
});

/** Installs the gateway as npm would from the registry. */
async function installed(folder: string): Promise<void> {
  const tarballs = packPackages(join(folder, 'packed'), publishablePackages());
  const dependencies = Object.fromEntries(
    tarballs
      .filter(({ name }) => name.startsWith('rostack-'))
      .map(({ name, filename }) => [name, `file:${filename}`]),
  );
  const overrides = Object.fromEntries(Object.keys(dependencies).map((name) => [name, `$${name}`]));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, overrides }),
  );
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
}
