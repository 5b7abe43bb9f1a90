import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openStore } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { median, ratiosOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { stationRecord, stations } from './support/import-stations.ts';

/** An import compared with the same records written by `apply` in batches of 1,000; and its memory for three times as many lines. */
const RATE_LINES = 30_000;
const FEW = 100_000;
const MANY = 300_000;
const RATE_BAR = 0.5;
const MEMORY_BAR = 1.3;

const run = promisify(execFile);

async function imported(count: number): Promise<{ readonly perSecond: number; readonly maxRssKib: number }> {
  const script = resolve(import.meta.dirname, 'support/import-run.ts');
  const { stdout } = await run(process.execPath, ['--conditions=workspace-source', script, String(count)]);
  return JSON.parse(stdout) as { perSecond: number; maxRssKib: number };
}

async function applied(count: number): Promise<number> {
  await using folder = await temporaryFolder();
  await using store = await openStore({
    url: `sqlite:${join(folder.path, 'store.db')}`,
    resources: [stations],
  });
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
  return perSecond;
}

const rounds = await runRounds(
  { applied: () => applied(RATE_LINES), imported: async () => (await imported(RATE_LINES)).perSecond },
  { rounds: 3 },
);
report('rostack-gateway/import', {
  ratio: median(ratiosOf(rounds.imported, rounds.applied)),
  bar: RATE_BAR,
  want: 'at least',
  note: `${Math.round(median(rounds.imported))} lines/s, apply alone ${Math.round(median(rounds.applied))} records/s`,
});

const few = await imported(FEW);
const many = await imported(MANY);
const mib = (kib: number) => Math.round(kib / 1_024);
report('rostack-gateway/import-memory', {
  ratio: many.maxRssKib / few.maxRssKib,
  bar: MEMORY_BAR,
  want: 'at most',
  note: `${mib(few.maxRssKib)} MiB at most for ${FEW} lines, ${mib(many.maxRssKib)} MiB for ${MANY}`,
});
