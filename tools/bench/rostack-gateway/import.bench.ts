import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openStore } from 'rostack-store';
import { stationRecord, stations } from './import-support.ts';

/** An import compared with the same records written by `apply` in batches of 1,000; and its memory for three times as many lines. */
const RATE_LINES = 30_000;
const FEW = 100_000;
const MANY = 300_000;
const RATE_BAR = 0.5;
const MEMORY_BAR = 1.3;

const run = promisify(execFile);

async function imported(count: number): Promise<{ readonly perSecond: number; readonly maxRssKib: number }> {
  const script = resolve(import.meta.dirname, 'import-run.ts');
  const { stdout } = await run(process.execPath, ['--conditions=workspace-source', script, String(count)]);
  return JSON.parse(stdout) as { perSecond: number; maxRssKib: number };
}

async function applied(count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'import-bench-'));
  await using store = await openStore({ url: `sqlite:${join(folder, 'store.db')}`, resources: [stations] });
  const startedAtMs = performance.now();
  for (let from = 0; from < count; from += 1_000) {
    const changes = Array.from({ length: 1_000 }, (_, index) => ({
      resource: 'stations',
      op: 'put' as const,
      record: stationRecord(from + index),
    }));
    await store.apply(changes);
  }
  const perSecond = (count / (performance.now() - startedAtMs)) * 1_000;
  await rm(folder, { recursive: true });
  return perSecond;
}

function report(bench: string, ratio: number, bar: number, want: 'at least' | 'at most', told: string): void {
  const holds = want === 'at least' ? ratio >= bar : ratio <= bar;
  console.log(`${bench}: ${told}`);
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(3)), bar, want, holds }));
}

const ratios: number[] = [];
let told = '';
await imported(RATE_LINES);
for (let round = 0; round < 3; round += 1) {
  const plain = await applied(RATE_LINES);
  const { perSecond } = await imported(RATE_LINES);
  ratios.push(perSecond / plain);
  told = `${Math.round(perSecond)} lines/s, apply alone ${Math.round(plain)} records/s`;
}
const ratio = ratios.sort((a, b) => a - b)[1] ?? 0;
report('rostack-gateway/import', ratio, RATE_BAR, 'at least', told);

const few = await imported(FEW);
const many = await imported(MANY);
const mib = (kib: number) => Math.round(kib / 1_024);
report(
  'rostack-gateway/import-memory',
  many.maxRssKib / few.maxRssKib,
  MEMORY_BAR,
  'at most',
  `${mib(few.maxRssKib)} MiB at most for ${FEW} lines, ${mib(many.maxRssKib)} MiB for ${MANY}`,
);
