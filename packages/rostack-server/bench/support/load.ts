import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A load of one server: each connection sends its next request when the answer to the last one is complete. */
export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Whole HTTP/1.1 requests as text, sent in turn by all connections together, from the start again at the end. */
  readonly requests: readonly string[];
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly responses: number;
  /** Answers with another status than 200. */
  readonly failures: number;
  readonly bytesPerResponse: number;
}

/** Runs a load in a thread of its own. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: plan });
  const [result] = await Promise.race([
    once(worker, 'message'),
    once(worker, 'error').then(([error]) => Promise.reject(error)),
  ]);
  await worker.terminate();
  return result as LoadResult;
}

/** The text of a GET request. */
export function getRequest(path: string, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`;
}
