/**
 * Requests per second of the built service against a bare Hono handler that sends the same bytes: 600 restaurants, 7 days
 * filled, one process each, 32 connections, in alternating rounds. Needs `pnpm build` first.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addDays, formatCompactDate, type Restaurant, restaurantSlug } from 'menu-client';
import { fillStore } from './support/filled-store.ts';
import { load } from './support/load.ts';
import { type Running, run } from './support/program.ts';

const ROUNDS = 5;
const ROUND_MS = 900;
const MEMORY_MIB = 350;
const P99_MS = 100;

const folder = await mkdtemp(join(tmpdir(), 'serving-'));
const { restaurants, today } = await fillStore(`sqlite:${folder}/menus.db`);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
await using ours = await run(
  ['--max-semi-space-size=8', here('../dist/main.js')],
  {
    DATA_DIR: folder,
    CAFETERIA_PORT: '0',
    CAFETERIA_PREFETCH_SECONDS: '0',
    CAFETERIA_SEARCH_PER_MINUTE: '0',
    MENU_UPSTREAM: 'live',
    WELSTORY_USERNAME: 'nobody',
    WELSTORY_PASSWORD: 'nobody',
    // Nobody listens there: what is measured is answered from the store alone.
    WELSTORY_BASE_URL: 'http://127.0.0.1:9',
    PLANEAT_BASE_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'error',
  },
  /localhost:(\d+)/,
);
await using bare = await run(
  ['--conditions=workspace-source', here('./support/bare-server.ts')],
  {},
  /listening (\d+)/,
);

const residentMib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const dayPaths = restaurants.flatMap((restaurant) =>
  Array.from({ length: 7 }, (_, days) => pathOf(restaurant, formatCompactDate(addDays(today, days)))),
);

function pathOf({ vendor, id, name }: Restaurant, date: string): string {
  return `/restaurants/${vendor}/${encodeURIComponent(id)}/${encodeURIComponent(restaurantSlug(name))}/${date}`;
}

/** Every path once, in an order that jumps over the whole range, for ever. */
function cycle(paths: readonly string[]): () => string {
  let at = 0;
  return () => paths[(at = (at + 1_009) % paths.length)] ?? '';
}

/** Gives the peer the bytes of our answer, as they went over the wire. */
async function teach(path: string, headers: Record<string, string>): Promise<void> {
  const { get } = await import('node:http');
  const answer = await new Promise<{ bytes: Buffer; type: string; encoding: string }>((resolve, reject) => {
    get({ port: ours.port, path, headers: { Host: `localhost:${ours.port}`, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          bytes: Buffer.concat(chunks),
          type: response.headers['content-type'] ?? '',
          encoding: response.headers['content-encoding'] ?? '',
        }),
      );
    }).on('error', reject);
  });
  const query = new URLSearchParams({ path: decodeURI(path), type: answer.type, encoding: answer.encoding });
  await fetch(`http://127.0.0.1:${bare.port}/load?${query.toString()}`, {
    method: 'POST',
    body: new Uint8Array(answer.bytes),
  });
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function report(name: string, ratio: number, bar: number, want: 'at least' | 'at most'): void {
  const holds = want === 'at least' ? ratio >= bar : ratio <= bar;
  console.log(JSON.stringify({ bench: `cafeteria-web/${name}`, ratio: rounded(ratio), bar, want, holds }));
}

async function compare(
  name: string,
  bar: number,
  next: (server: Running) => () => string,
  headers: string,
): Promise<void> {
  const rates: number[] = [];
  const oursRates: number[] = [];
  const p99s: number[] = [];
  const oursNext = next(ours);
  const bareNext = next(bare);
  for (let round = 0; round < ROUNDS; round += 1) {
    const mine = await load(ours.port, oursNext, headers, ROUND_MS);
    const theirs = await load(bare.port, bareNext, headers, ROUND_MS);
    rates.push(mine.requestsPerSecond / theirs.requestsPerSecond);
    oursRates.push(mine.requestsPerSecond);
    p99s.push(mine.p99Ms);
  }
  const spread = `${rounded(Math.min(...rates))} to ${rounded(Math.max(...rates))}`;
  console.log(
    `${name}: ${Math.round(median(oursRates))} requests/s, ratio ${spread}, p99 ${rounded(median(p99s))} ms`,
  );
  report(name, median(rates), bar, 'at least');
  report(`${name}/p99-ms`, median(p99s), P99_MS, 'at most');
}

const forms = [
  ['day-html', dayPaths, { 'Accept-Encoding': 'gzip', Accept: 'text/html' }],
  ['day-markdown', dayPaths, { 'Accept-Encoding': 'gzip', Accept: 'text/markdown' }],
  [
    'day-feed',
    dayPaths.map((path) => `${path}/rss.xml`),
    { 'Accept-Encoding': 'gzip', Accept: 'application/rss+xml' },
  ],
] as const;
for (const [name, paths, headers] of forms) {
  for (const path of paths) await teach(path, headers);
  const lines = Object.entries(headers)
    .map(([key, value]) => `${key}: ${value}\r\n`)
    .join('');
  await compare(name, 0.6, () => cycle(paths), lines);
}

const words = [
  ...new Set(
    restaurants.flatMap(({ name, location }) => [name, ...location].flatMap((text) => text.split(' '))),
  ),
];
const searchPath = (query: string): string => `/proxy/search?q=${encodeURIComponent(query)}`;
await teach(searchPath('강남'), {});
let serial = 0;
await compare(
  'search-different',
  0.15,
  () => () => {
    serial += 1;
    return searchPath(
      `${words[serial % words.length]} ${words[Math.floor(serial / words.length) % words.length]?.slice(0, 2)}`,
    );
  },
  'Accept: application/json\r\n',
);
await compare(
  'search-repeated',
  0.6,
  () => cycle(words.slice(0, 50).map(searchPath)),
  'Accept: application/json\r\n',
);

const feed = await load(ours.port, () => '/rss.xml', 'Accept-Encoding: gzip\r\n', ROUND_MS, 4);
console.log(
  `rss.xml of all: ${Math.round(feed.requestsPerSecond)} requests/s, p99 ${rounded(feed.p99Ms)} ms`,
);
console.log(`memory after all of it: ${Math.round(residentMib(ours.pid))} MiB`);
report('memory-mib', residentMib(ours.pid), MEMORY_MIB, 'at most');
await rm(folder, { recursive: true, force: true });
