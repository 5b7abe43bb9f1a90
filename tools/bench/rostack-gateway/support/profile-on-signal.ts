/**
 * Loaded into a process before its program: SIGUSR2 begins a profile of its main thread, the next one ends it and writes it to the file
 * `BENCH_PROFILE`, with what its clock has to be added to be milliseconds since 1970.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_US = 250;

if (isMainThread) {
  const session = new Session();
  let isRunning = false;
  process.on('SIGUSR2', () => {
    if (isRunning) {
      session.post('Profiler.stop', (_, { profile }) => {
        const epochOfClockMs =
          performance.timeOrigin + performance.now() - Number(process.hrtime.bigint() / 1_000n) / 1_000;
        const file = process.env['BENCH_PROFILE'] ?? '';
        writeFileSync(`${file}.partial`, JSON.stringify({ profile, epochOfClockMs }));
        renameSync(`${file}.partial`, file);
      });
      return;
    }
    isRunning = true;
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    session.post('Profiler.start');
  });
}
