/**
 * How long putting `/rss.xml` together (600 restaurants, 7 days) blocks the event loop at a time: the longest wait of a
 * timer that is due every millisecond, in milliseconds. Needs `pnpm build` first.
 */
import { createHistogram } from 'node:perf_hooks';
import { createMenuService, openMenuStore } from 'menu-client';
import { temporaryFolder } from 'test-support/temporary-folder';
import { median } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { silentOperator } from '../support/silent-operator.ts';
import { pageAt, SiteFeed } from './support/built.ts';
import { fillStore } from './support/filled-store.ts';

const BLOCKING_MS = 50;
const BUILDS = 7;

await using folder = await temporaryFolder();
const url = `sqlite:${folder.path}/menus.db`;
await fillStore(url);
await using service = createMenuService({
  // Everything is answered from the store.
  operators: [silentOperator('welstory'), silentOperator('shinsegae')],
  store: await openMenuStore(url),
});
interface Build {
  readonly tookMs: number;
  readonly longestMs: number;
  /** By the thread's own time, which other processes do not lengthen; the kernel counts in steps of 4. */
  readonly longestProcessorMs: number;
  readonly p99Ms: number;
  readonly mib: number;
  readonly compressedMib: number;
}

async function build(): Promise<Build> {
  await using feed = new SiteFeed({
    service,
    nowMs: Date.now,
    page: () => pageAt(Date.now(), false),
    onError: (error) => {
      throw error;
    },
  });
  const gaps = createHistogram();
  let beforeMs = performance.now();
  let beforeProcessor = process.threadCpuUsage();
  let longestProcessorMs = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    gaps.record(Math.max(1, Math.round((nowMs - beforeMs) * 1000)));
    beforeMs = nowMs;
    const { user, system } = process.threadCpuUsage(beforeProcessor);
    beforeProcessor = process.threadCpuUsage();
    longestProcessorMs = Math.max(longestProcessorMs, (user + system) / 1000);
  }, 1);
  const startedMs = performance.now();
  const copy = await feed.current('https://menu.example.org');
  const tookMs = performance.now() - startedMs;
  clearInterval(timer);
  return {
    tookMs,
    longestMs: gaps.max / 1000,
    longestProcessorMs,
    p99Ms: gaps.percentile(99) / 1000,
    mib: copy.length / 1_048_576,
    compressedMib: (await copy.compressed()).length / 1_048_576,
  };
}

// The service has its index of restaurants from its start.
await service.restaurants();
const builds = (await runRounds({ build }, { rounds: BUILDS, warmUps: 0 })).build;
const middle = (of: (build: Build) => number): number => median(builds.map(of));
const first = builds[0];
report('cafeteria-web/rss-rebuild-blocking-ms', {
  ratio: middle(({ longestMs }) => longestMs),
  bar: BLOCKING_MS,
  want: 'at most',
  note:
    `${first?.mib.toFixed(1)} MiB, ${first?.compressedMib.toFixed(2)} MiB in gzip, in ${middle((each) => each.tookMs).toFixed(0)} ms; ` +
    `longest turns ${builds.map(({ longestMs }) => longestMs.toFixed(1)).join(', ')} ms, ` +
    `in processor time ${builds.map((each) => each.longestProcessorMs.toFixed(0)).join(', ')} ms, p99 of turns ${middle((each) => each.p99Ms).toFixed(1)} ms`,
});
