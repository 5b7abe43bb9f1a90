/**
 * Resident memory of a gateway over SQLite under a steady load: 500 changes and 150 different lists a second over 50,000 records, and 50
 * followers, half of them with a filter. The median of the last third has to be below the bar, the changes have to be written, and the
 * database file must not grow; its log, of 64 MiB at most, is not counted. It runs with the environment of the image, which keeps memory
 * small. `BENCH_STEADY_LIFE_S` sets how long it runs, 360 s by default.
 */
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchGateway, startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { sqliteFile } from '../support/gateway/databases.ts';
import { differentPath } from '../support/gateway/readings.ts';
import { median } from '../support/numbers.ts';
import { residentBytes } from '../support/processes.ts';
import { report } from '../support/report.ts';

const DURATION_MS = Number(process.env['BENCH_STEADY_LIFE_S'] ?? 360) * 1_000;
const RECORDS = 50_000;
const FOLLOWERS = 50;
const CHANGES_PER_SECOND = 500;
const LISTS_PER_SECOND = 150;
/** On a busy machine a page may time out; with more failures than this the memory would look better than it is. */
const MAX_FAILED_SHARE = 0.01;
/** Share of the changes that has to be written; with less, the memory says little. */
const MIN_WRITTEN_SHARE = 0.95;
const SAMPLE_INTERVAL_MS = 2_000;
const REPORT_EVERY = 15;
const MIB = 1_048_576;
const BAR_MIB = 300;
const FILE_BAR = 1.25;

interface Sample {
  readonly residentMib: number;
  readonly fileMib: number;
}

/** Asks for different pages at a steady pace until it is disposed of, no matter how long each answer takes. */
function startReader(
  gateway: BenchGateway,
): AsyncDisposable & { readonly answers: () => number; readonly failures: () => number } {
  const stop = new AbortController();
  let answers = 0;
  let failures = 0;
  const running = (async () => {
    const startedMs = performance.now();
    const underWay = new Set<Promise<void>>();
    for (let number = 0; !stop.signal.aborted; number += 1) {
      await wait(Math.max(0, startedMs + (number * 1_000) / LISTS_PER_SECOND - performance.now()));
      if (underWay.size >= LISTS_PER_SECOND) await Promise.race(underWay);
      const asked = gateway
        .get(differentPath(number, RECORDS))
        .then(
          () => {
            answers += 1;
          },
          () => {
            failures += 1;
          },
        )
        .then(() => void underWay.delete(asked));
      underWay.add(asked);
    }
    await Promise.all(underWay);
  })();
  // The error is thrown on disposal.
  running.catch(() => {});
  return {
    answers: () => answers,
    failures: () => failures,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

await using database = await sqliteFile();
const file = database.url.slice('sqlite:'.length);
await using gateway = await startBenchGateway(database, {
  records: RECORDS,
  sections: { retention: { max_changes: 20_000, interval: '5s' } },
});
await using followers = new AsyncDisposableStack();
for (let number = 0; number < FOLLOWERS; number += 1) {
  const filter = { '/altitude': { gte: number * 500, lt: number * 500 + 5_000 } };
  followers.use(await gateway.follow(number % 2 === 0 ? {} : { filter }));
}
await using writer = gateway.startWriter(CHANGES_PER_SECOND);
await using reader = startReader(gateway);
const samples: Sample[] = [];
const writtenBefore = writer.written();
const startedMs = performance.now();
while (performance.now() - startedMs < DURATION_MS) {
  await wait(SAMPLE_INTERVAL_MS);
  const residentMib = (await residentBytes(gateway.pid)) / MIB;
  samples.push({ residentMib, fileMib: (await stat(file)).size / MIB });
  if (samples.length % REPORT_EVERY !== 0) continue;
  const metrics = await gateway.metrics();
  const parts = [...metrics]
    .filter(([name]) =>
      /^rostack_(ring|page_cache|websocket_buffered)_bytes|^nodejs_(heap_size_(used|total)|external_memory)_bytes/.test(
        name,
      ),
    )
    .map(([name, bytes]) => `${name} ${(bytes / MIB).toFixed(1)} MiB`);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(
    `${seconds} s: ${residentMib.toFixed(0)} MiB resident, file ${samples.at(-1)?.fileMib.toFixed(0)} MiB, ${writer.written()} changes, ${reader.answers()} lists, ${reader.failures()} failed; ${parts.join(', ')}`,
  );
}
if (reader.failures() > MAX_FAILED_SHARE * reader.answers())
  throw new Error(`${reader.failures()} lists failed`);
const changesPerSecond = ((writer.written() - writtenBefore) * 1_000) / (performance.now() - startedMs);
const third = Math.ceil(samples.length / 3);
const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
const settled = median(last.map(({ residentMib }) => residentMib));
const [fileBefore, fileAfter] = [middle, last].map((part) => median(part.map(({ fileMib }) => fileMib)));
report('rostack-gateway/steady-life/resident-mib', {
  ratio: settled,
  bar: BAR_MIB,
  want: 'at most',
  note: `median of the last third of ${DURATION_MS / 1_000} s; ${median(middle.map(({ residentMib }) => residentMib)).toFixed(0)} MiB in the middle one`,
});
report('rostack-gateway/steady-life/changes-per-second', {
  ratio: changesPerSecond,
  bar: MIN_WRITTEN_SHARE * CHANGES_PER_SECOND,
  want: 'at least',
  note: `${CHANGES_PER_SECOND} a second were due; ${(reader.answers() / (DURATION_MS / 1_000)).toFixed(0)} of ${LISTS_PER_SECOND} lists a second were answered`,
});
report('rostack-gateway/steady-life/file-growth', {
  ratio: (fileAfter ?? Number.NaN) / (fileBefore ?? Number.NaN),
  bar: FILE_BAR,
  want: 'at most',
  note: `${fileAfter?.toFixed(0)} MiB after ${fileBefore?.toFixed(0)} MiB`,
});
