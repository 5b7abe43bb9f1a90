/**
 * Later pages and old snapshots while 200 changes a second are written, one request at a time in turn: page 1,000 of a chain against page
 * 2, and a page of a snapshot that is 10,000 changes old against one of a new snapshot.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchGateway, startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { type BenchDatabase, overBoth } from '../support/gateway/databases.ts';
import { median, ratiosOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';

const RECORDS = 100_000;
const FIRST = '/api/readings?sort=/altitude';
const ROUNDS = 30;
const PER_ROUND = 20;
/** Time for 10,000 changes at 200 a second. */
const CHANGES_MS = 50_000;

async function nextOf(gateway: BenchGateway, path: string): Promise<string> {
  const { page } = JSON.parse(await gateway.get(path)) as { page: { next_cursor: string } };
  return page.next_cursor;
}

async function timeOf(gateway: BenchGateway, path: string): Promise<number> {
  const startedMs = performance.now();
  for (let number = 0; number < PER_ROUND; number += 1) await gateway.get(path);
  return (performance.now() - startedMs) / PER_ROUND;
}

async function compare(gateway: BenchGateway, base: string, other: string) {
  const times = await runRounds(
    { base: () => timeOf(gateway, base), other: () => timeOf(gateway, other) },
    { rounds: ROUNDS, warmUps: 0 },
  );
  const note = `${median(times.other).toFixed(3)} ms beside ${median(times.base).toFixed(3)} ms`;
  return { ratio: median(ratiosOf(times.other, times.base)), note };
}

async function run(name: string, database: BenchDatabase): Promise<void> {
  await using gateway = await startBenchGateway(database, { records: RECORDS });
  await using _writer = gateway.startWriter();
  const second = await nextOf(gateway, `${FIRST}&limit=50`);
  let deep = second;
  for (let page = 2; page < 500; page += 1) deep = await nextOf(gateway, `${FIRST}&limit=100&cursor=${deep}`);
  const at = (cursor: string): string => `${FIRST}&limit=50&cursor=${cursor}`;
  const late = await compare(gateway, at(second), at(deep));
  report(`rostack-gateway/gateway-list/deep-page/${name}`, { ...late, bar: 1.2, want: 'at most' });
  await wait(CHANGES_MS);
  const old = await compare(gateway, at(await nextOf(gateway, `${FIRST}&limit=50`)), at(second));
  report(`rostack-gateway/gateway-list/old-snapshot/${name}`, { ...old, bar: 2, want: 'at most' });
}

await overBoth('gateway-list/deep-page', run);
