import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';

/** A server under load, and the requests for it. */
export interface Target {
  readonly port: number;
  /** Id of the server's process. */
  readonly pid: number;
  /** A file with whole HTTP/1.1 requests without bodies, one after the other; sent in turn by all connections together. */
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
}

const TICK_US = 10_000;

/** Runs a load in a process of its own. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const worker = fork(new URL('./load-worker.ts', import.meta.url));
  await new Promise((resolve) => worker.send(plan, resolve));
  const before = await cpuUsOf(plan.pid);
  const [result] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(([code]) => Promise.reject(new Error(`the load ended with code ${code}`))),
  ])) as [Omit<LoadResult, 'cpuUs'>];
  return { ...result, cpuUs: ((await cpuUsOf(plan.pid)) - before) / result.responses };
}

/** Processor time of a process so far; NaN if there is no /proc. */
export async function cpuUsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Writes GET requests for a load. */
export async function writeRequests(
  file: string,
  paths: Iterable<string>,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const fields = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  await writeFile(file, Array.from(paths, (path) => `GET ${path} HTTP/1.1\r\n${fields}\r\n`).join(''));
  return file;
}
