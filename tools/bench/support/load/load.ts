import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';

/** A server under load, and the requests for it. */
export interface Target {
  readonly port: number;
  /** Processor time of the server so far, in us. */
  readonly usedUs: () => number | Promise<number>;
  /** A file with whole HTTP/1.1 requests, one after the other; sent in turn by all connections together. */
  readonly requestsFile: string;
}

/** Each connection sends its next request when the answer to the last one is complete. */
export interface LoadPlan extends Target {
  readonly connections: number;
  /** No request is sent after this time. @default no end */
  readonly durationMs?: number;
  /** No request is sent after this many answers. @default no end */
  readonly answers?: number;
  /** Index of the first request to send. */
  readonly firstRequest: number;
  /** Whether each request is told. @default false */
  readonly isTraced?: boolean;
}

/** One request: when it was sent, in ms since 1970, and how long its answer took. */
export interface TracedRequest {
  readonly sentAtMs: number;
  readonly tookMs: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly responses: number;
  /** Answers with a status other than 200. */
  readonly failures: number;
  /** Status line of the first of them. */
  readonly firstFailure: string | undefined;
  readonly bytesPerResponse: number;
  /** Processor time of the server per answer, in us: steadier than the rate when the machine is busy. */
  readonly cpuUs: number;
  /** Empty unless the plan asks for them. */
  readonly requests: readonly TracedRequest[];
}

/** Runs a load in a process of its own. */
export async function load({ usedUs, ...plan }: LoadPlan): Promise<LoadResult> {
  const worker = fork(new URL('./load-worker.ts', import.meta.url));
  await new Promise((resolve) => worker.send(plan, resolve));
  const before = await usedUs();
  const [result] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(([code]) => Promise.reject(new Error(`the load ended with code ${code}`))),
  ])) as [Omit<LoadResult, 'cpuUs'>];
  return { ...result, cpuUs: ((await usedUs()) - before) / result.responses };
}

/** Writes requests for a load, which are POST if they have a body, and returns the file. */
export async function writeRequests(
  file: string,
  paths: Iterable<string>,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<string> {
  const all = { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) };
  const fields = Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const method = body === undefined ? 'GET' : 'POST';
  const requests = Array.from(paths, (path) => `${method} ${path} HTTP/1.1\r\n${fields}\r\n${body ?? ''}`);
  await writeFile(file, requests.join(''));
  return file;
}
