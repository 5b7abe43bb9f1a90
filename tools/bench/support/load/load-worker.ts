import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { LoadPlan, LoadResult } from './load.ts';

const HEAD_END = '\r\n\r\n';

/** Keep-alive HTTP/1.1 clients on bare sockets: they cost far less than the server that is measured. */
const [plan] = (await once(process, 'message')) as [LoadPlan];
const {
  port,
  connections,
  durationMs = Number.POSITIVE_INFINITY,
  answers = Number.POSITIVE_INFINITY,
  requestsFile,
  firstRequest,
} = plan;
const requests = readFileSync(requestsFile);
/** Where each request ends. Numbers only: a buffer for each would add this process's own pauses to the latencies. */
const ends = endsOf(requests);
const latenciesMs: number[] = [];
const started = performance.now();
let next = firstRequest;
let responses = 0;
let failures = 0;
let firstFailure: string | undefined;
let bodyBytes = 0;

function endsOf(bytes: Buffer): Float64Array {
  const found: number[] = [];
  for (let at = bytes.indexOf(HEAD_END); at !== -1; at = bytes.indexOf(HEAD_END, at + HEAD_END.length))
    found.push(at + HEAD_END.length);
  return Float64Array.from(found);
}

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    let missing = -1;
    let head = '';
    const send = (): void => {
      const index = next++ % ends.length;
      if (performance.now() - started >= durationMs || responses >= answers) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(requests.subarray(ends[index - 1] ?? 0, ends[index]));
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      let rest = chunk.byteLength;
      if (missing === -1) {
        head += chunk.toString('latin1', 0, Math.min(rest, 4_096));
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (!head.startsWith('HTTP/1.1 200')) {
          failures++;
          firstFailure ??= head.slice(0, head.indexOf('\r\n'));
        }
        rest -= end + 4;
        missing = length;
        bodyBytes += length;
        head = '';
      }
      missing -= rest;
      if (missing > 0) return;
      missing = -1;
      responses++;
      latenciesMs.push(performance.now() - sentAt);
      send();
    });
  });
}

await Promise.all(Array.from({ length: connections }, run));
const elapsedMs = performance.now() - started;
latenciesMs.sort((a, b) => a - b);
const percentile = (p: number): number => latenciesMs[Math.floor(latenciesMs.length * p)] ?? 0;
const result: Omit<LoadResult, 'cpuUs'> = {
  perSecond: (responses / elapsedMs) * 1_000,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
  responses,
  failures,
  firstFailure,
  bytesPerResponse: responses === 0 ? 0 : bodyBytes / responses,
};
process.send?.(result, () => process.disconnect());
