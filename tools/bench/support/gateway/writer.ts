import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_TOKEN } from './config.ts';
import { reading } from './readings.ts';

const INTERVAL_MS = 20;

/** Writes changes until it is disposed of, which throws what went wrong. */
export interface BenchWriter extends AsyncDisposable {
  /** Number of changes answered so far. */
  readonly written: () => number;
}

/** Every 20 ms it writes what is due, one request after the other, so slow answers lead to larger batches and not to fewer changes. */
export function startWriter(change: (count: number) => Promise<void>, changesPerSecond: number): BenchWriter {
  const stop = new AbortController();
  let written = 0;
  const running = (async () => {
    const startedMs = performance.now();
    while (!stop.signal.aborted) {
      const dueAtMs = performance.now() + INTERVAL_MS;
      const due = Math.floor(((performance.now() - startedMs) * changesPerSecond) / 1_000) - written;
      if (due > 0) {
        await change(Math.min(due, changesPerSecond));
        written += Math.min(due, changesPerSecond);
      }
      await wait(Math.max(0, dueAtMs - performance.now()));
    }
  })();
  // The error is thrown on disposal.
  running.catch(() => {});
  return {
    written: () => written,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Changes the given number of records per call, going through them in turn. */
export function changesTo(url: string, records: number): (count: number) => Promise<void> {
  let written = 0;
  return async (count) => {
    const lines = Array.from({ length: count }, () => {
      written += 1;
      const record = reading((written * 7_907) % records, records, `changed ${written}`.padEnd(36, '.'));
      return `${JSON.stringify({ op: 'put', record })}\n`;
    });
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson' };
    const response = await fetch(url, { method: 'POST', headers, body: lines.join('') });
    const results = await response.text();
    if (response.status !== 200 || results.includes('"error"')) throw new Error(`a write failed: ${results}`);
  };
}
