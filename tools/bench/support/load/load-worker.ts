import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { median, quantile } from '../numbers.ts';
import { answerReader, requestEnds } from './http-messages.ts';
import type { LoadPlan, LoadResult, TracedRequest } from './load.ts';

const READ_BYTES = 262_144;

/** Keep-alive HTTP/1.1 clients on bare sockets: they cost far less than the server that is measured. */
const [plan] = (await once(process, 'message')) as [Omit<LoadPlan, 'usedUs'>];
const {
  port,
  connections,
  durationMs = Number.POSITIVE_INFINITY,
  answers = Number.POSITIVE_INFINITY,
  requestsFile,
  firstRequest,
  isTraced = false,
} = plan;
const requests = readFileSync(requestsFile);
/** Numbers only: a buffer for each request would add this process's own pauses to the latencies. */
const ends = requestEnds(requests);
const latenciesMs: number[] = [];
const traced: TracedRequest[] = [];
const started = performance.now();
let next = firstRequest;
let failures = 0;
let firstFailure: string | undefined;
let bodyBytes = 0;

/** A connection that reads into one buffer again and again. */
function open(onChunk: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const callback = (bytes: number): boolean => {
    onChunk(buffer.subarray(0, bytes));
    return true;
  };
  return connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
}

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAtMs = 0;
    let isEnded = false;
    const onAnswer = (head: string, bytes: number): void => {
      const tookMs = performance.now() - sentAtMs;
      latenciesMs.push(tookMs);
      if (isTraced) traced.push({ sentAtMs: performance.timeOrigin + sentAtMs, tookMs });
      bodyBytes += bytes;
      if (!head.startsWith('HTTP/1.1 200')) {
        failures += 1;
        firstFailure ??= head.split('\r\n', 1)[0];
      }
      send();
    };
    const socket = open(answerReader(onAnswer));
    const send = (): void => {
      const index = next++ % ends.length;
      if (performance.now() - started >= durationMs || latenciesMs.length >= answers) {
        isEnded = true;
        socket.destroy();
        resolve();
        return;
      }
      sentAtMs = performance.now();
      socket.write(requests.subarray(ends[index - 1] ?? 0, ends[index]));
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => {
      if (!isEnded) reject(new Error('the server closed a connection'));
    });
  });
}

await Promise.all(Array.from({ length: connections }, run));
const elapsedMs = performance.now() - started;
const responses = latenciesMs.length;
const result: Omit<LoadResult, 'cpuUs'> = {
  perSecond: (responses / elapsedMs) * 1_000,
  p50Ms: median(latenciesMs),
  p99Ms: quantile(latenciesMs, 0.99),
  responses,
  failures,
  firstFailure,
  bytesPerResponse: responses === 0 ? 0 : bodyBytes / responses,
  requests: traced,
};
process.send?.(result, () => process.disconnect());
