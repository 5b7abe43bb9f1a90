import { collectDefaultMetrics, Registry } from 'prom-client';

let collected: Registry | undefined;

/**
 * Metrics of this process (memory, event loop, garbage collection), collected from the first call on and shared by all that runs in
 * it. prom-client's observers have no end: with a registry each they would keep what was closed in memory.
 */
export function processMetrics(): Registry {
  if (collected === undefined) {
    collected = new Registry();
    collectDefaultMetrics({ register: collected });
  }
  return collected;
}
