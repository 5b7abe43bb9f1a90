import { collectDefaultMetrics, Registry } from 'prom-client';

let collected: Registry | undefined;

/**
 * Metrics of this process (memory, event loop, garbage collection), collected from the first call on and shared by all
 * services in it. prom-client's observers never stop: with one registry per service they would keep closed ones in memory.
 */
export function processMetrics(): Registry {
  if (collected === undefined) {
    collected = new Registry();
    collectDefaultMetrics({ register: collected });
  }
  return collected;
}
