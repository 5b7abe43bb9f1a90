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
import { median, ratiosOf, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
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
  ['--max-semi-space-size=8', '--heap-growing-percent=50', here('../../../apps/cafeteria-web/dist/main.js')],
  {
    DATA_DIR: folder,
    CAFETERIA_PORT: '0',
    CAFETERIA_PREFETCH_SECONDS: '0',
    // Counted, as in service, but never refused.
    CAFETERIA_SEARCH_PER_MINUTE: '100000000',
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

/** Processor time that a process has used, in ms; the kernel counts in steps of 10. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const residentMib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const dayPaths = restaurants.flatMap((restaurant) =>
  Array.from({ length: 7 }, (_, days) => pathOf(restaurant, formatCompactDate(addDays(today, days)))),
);

function pathOf({ vendor, id, name }: Restaurant, date: string): string {
  return `/restaurants/${vendor}/${encodeURIComponent(id)}/${encodeURIComponent(restaurantSlug(name))}/${date}`;
}

/** Every path once, in an order that jumps over the whole range, endlessly. */
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

const TEACHERS = 16;

/** Several at a time: what is asked first must still be fresh when the last one is taught. */
async function teachAll(paths: readonly string[], headers: Record<string, string>): Promise<void> {
  const waiting = paths.values();
  await Promise.all(
    Array.from({ length: TEACHERS }, async () => {
      for (const path of waiting) await teach(path, headers);
    }),
  );
}

interface Round {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  /** Processor time of the server for each response, in microseconds. */
  readonly processorUs: number;
}

async function measure(server: Running, next: () => string, headers: string): Promise<Round> {
  const beforeMs = processorMs(server.pid);
  const { requestsPerSecond, p99Ms, responses } = await load(server.port, next, headers, ROUND_MS);
  const processorUs = ((processorMs(server.pid) - beforeMs) / responses) * 1000;
  return { requestsPerSecond, p99Ms, processorUs };
}

/**
 * Both by the clock and by the servers' processor time: by the clock alone a load generator that is slower than both
 * would make any two servers equal.
 */
async function compare(name: string, bar: number, next: () => () => string, headers: string): Promise<void> {
  const [oursNext, bareNext] = [next(), next()];
  const rounds = await runRounds(
    { ours: () => measure(ours, oursNext, headers), bare: () => measure(bare, bareNext, headers) },
    { rounds: ROUNDS, warmUps: 0 },
  );
  const of = (server: keyof typeof rounds, figure: keyof Round) =>
    rounds[server].map((round) => round[figure]);
  const byClock = ratiosOf(of('ours', 'requestsPerSecond'), of('bare', 'requestsPerSecond'));
  const byProcessor = ratiosOf(of('bare', 'processorUs'), of('ours', 'processorUs'));
  report(`cafeteria-web/${name}`, {
    ratio: median(byClock),
    bar,
    want: 'at least',
    note: `${Math.round(median(of('ours', 'requestsPerSecond')))} requests/s, rounds ${spreadOf(byClock)}`,
  });
  report(`cafeteria-web/${name}/processor-time`, {
    ratio: median(byProcessor),
    bar,
    want: 'at least',
    note: `${Math.round(median(of('ours', 'processorUs')))} us each, the bare handler's ${Math.round(median(of('bare', 'processorUs')))}`,
  });
  report(`cafeteria-web/${name}/p99-ms`, {
    ratio: median(of('ours', 'p99Ms')),
    bar: P99_MS,
    want: 'at most',
  });
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
  // Twice: a page is another one once it is known which of its photos are there.
  for (let times = 0; times < 2; times += 1) await teachAll(paths, headers);
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
/** A word and the beginning of another one: no two pairs alike, and each second has its share of those that cost much. */
let serial = 0;
const nextPair = (): string => {
  serial += 1;
  const lap = Math.floor(serial / words.length);
  const [first, second] = [serial * 7_919, serial * 4_253 + lap].map((at) => words[at % words.length]);
  return searchPath(`${first} ${second?.slice(0, 2)}`);
};
await compare('search-different', 0.15, () => nextPair, 'Accept: application/json\r\n');
await compare(
  'search-repeated',
  0.6,
  () => cycle(words.slice(0, 50).map(searchPath)),
  'Accept: application/json\r\n',
);

const feed = await load(ours.port, () => '/rss.xml', 'Accept-Encoding: gzip\r\n', 3 * ROUND_MS);
report('cafeteria-web/rss-all/p99-ms', {
  ratio: feed.p99Ms,
  bar: P99_MS,
  want: 'at most',
  note: `${Math.round(feed.requestsPerSecond)} requests/s`,
});
report('cafeteria-web/memory-mib', { ratio: residentMib(ours.pid), bar: MEMORY_MIB, want: 'at most' });
await rm(folder, { recursive: true, force: true });
