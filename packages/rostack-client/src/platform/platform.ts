import { type ClientClock, SYSTEM_CLOCK } from './clock.ts';
import { guardRandom } from './guard-random.ts';

/** What the client takes from the machine it runs on; everything else in it is a function of its inputs. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch;
  readonly WebSocket: typeof globalThis.WebSocket;
  readonly clock: ClientClock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export function createPlatform(injected: Partial<Platform>): Platform {
  return {
    fetch: injected.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    WebSocket: injected.WebSocket ?? globalThis.WebSocket,
    clock: injected.clock ?? SYSTEM_CLOCK,
    random: injected.random === undefined ? Math.random : guardRandom(injected.random),
  };
}
