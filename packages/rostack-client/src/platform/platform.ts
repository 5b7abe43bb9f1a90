/** What the client takes from the machine it runs on; everything else in it is a function of its inputs. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch;
  readonly WebSocket: typeof globalThis.WebSocket;
  /** Milliseconds that only go forward, whatever the wall clock does. */
  readonly monotonicMs: () => number;
  /** Milliseconds since the epoch. */
  readonly wallMs: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export function createPlatform(injected: Partial<Platform>): Platform {
  return {
    fetch: injected.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    WebSocket: injected.WebSocket ?? globalThis.WebSocket,
    monotonicMs: injected.monotonicMs ?? (() => performance.now()),
    wallMs: injected.wallMs ?? (() => Date.now()),
    random: injected.random ?? Math.random,
  };
}
