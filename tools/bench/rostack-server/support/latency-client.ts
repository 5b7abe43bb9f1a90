import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';

/** A client in a thread of its own that notes when each event's `value` arrived. */
export interface LatencyClient extends AsyncDisposable {
  /** Arrival of the events with the values 0, 1, ..., in ms since the epoch; resolves when `count` have come. */
  arrivals(count: number): Promise<readonly number[]>;
}

export async function startLatencyClient(plan: SinkPlan): Promise<LatencyClient> {
  const worker = new Worker(new URL('./latency-client-worker.ts', import.meta.url), { workerData: plan });
  await once(worker, 'message');
  return {
    async arrivals(count) {
      const answer = once(worker, 'message');
      worker.postMessage(count);
      const [arrived] = (await answer) as [readonly number[]];
      return arrived;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
