import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';

/** A load of one server: each connection sends its next request when the answer to the last one is complete. */
export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /**
   * A file with whole HTTP/1.1 requests without bodies, one after the other; sent in turn by all connections together, from the
   * start again at the end. Not an array: the server's collector would have to look through it.
   */
  readonly requestsFile: string;
  /** Which one comes first. @default 0 */
  readonly firstRequest?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly responses: number;
  /** Answers with another status than 200. */
  readonly failures: number;
  readonly bytesPerResponse: number;
  /** Processor time of the server per answer: steadier than the rate when the machine is busy. */
  readonly cpuMsPerResponse: number;
}

/** Runs a load in a process of its own, so that the time of this process is the server's alone. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const worker = fork(new URL('./load-worker.ts', import.meta.url));
  await new Promise((resolve) => worker.send(plan, resolve));
  const before = process.cpuUsage();
  const [result] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(([code]) => Promise.reject(new Error(`the load ended with code ${code}`))),
  ])) as [Omit<LoadResult, 'cpuMsPerResponse'>];
  const { user, system } = process.cpuUsage(before);
  return { ...result, cpuMsPerResponse: (user + system) / 1_000 / result.responses };
}

/** Writes requests for a plan. */
export async function writeRequests(file: string, requests: Iterable<string>): Promise<string> {
  await writeFile(file, [...requests].join(''));
  return file;
}

/** The text of a GET request. */
export function getRequest(path: string, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`;
}
