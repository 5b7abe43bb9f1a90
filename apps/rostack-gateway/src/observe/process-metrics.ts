import { collectDefaultMetrics, Registry } from 'prom-client';

let collected: Registry | undefined;

/**
 * Metrics of this process (memory, event loop, garbage collection), collected from the first call on and shared by everything that runs in
 * it. prom-client's observers cannot be stopped: with one registry each, closed gateways would stay in memory.
 */
export function processMetrics(): Registry {
  if (collected === undefined) {
    collected = new Registry();
    collectDefaultMetrics({ register: collected });
  }
  return collected;
}
