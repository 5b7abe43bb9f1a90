import { guardObserver, ignoreRejection } from 'rostack-core/client';
import { type ClientClock, SYSTEM_CLOCK } from './clock.ts';
import { Waker } from './waker.ts';

/** What the client uses of the machine that it runs on; everything else in it is a function of its inputs. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch;
  readonly WebSocket: typeof globalThis.WebSocket;
  readonly clock: ClientClock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly waker: Waker;
}

export function createPlatform(injected: Partial<Omit<Platform, 'waker'>>): Platform {
  return {
    fetch: injected.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    WebSocket: injected.WebSocket ?? globalThis.WebSocket,
    clock: injected.clock ?? SYSTEM_CLOCK,
    random: injected.random === undefined ? Math.random : guardRandom(injected.random),
    waker: new Waker(),
  };
}

/** Falls back to the platform's own random numbers when the application's function fails. */
function guardRandom(random: () => number): () => number {
  const tell = (error: unknown): void => warn('random of rostack-client failed', error);
  return () => {
    try {
      const value: unknown = random();
      if (typeof value === 'number' && value >= 0 && value < 1) return value;
      ignoreRejection(value, tell);
      tell(new RangeError(`it gave ${String(value)}: use 0 to below 1`));
    } catch (error) {
      tell(error);
    }
    return Math.random();
  };
}

/** Guards a callback of the application: if it throws or rejects, that becomes a warning of the platform and ends nothing. */
export function observer<A extends readonly unknown[]>(
  name: string,
  callback: ((...told: A) => unknown) | undefined,
): (...told: A) => void {
  if (callback === undefined) return () => {};
  return guardObserver(callback, (error) => warn(`${name} of rostack-client failed`, error));
}

/** Shows a warning of Node, or reports an uncaught error in a browser; neither ends anything. */
export function warn(message: string, cause: unknown): void {
  const { process: node, reportError } = globalThis as {
    readonly process?: { emitWarning?(warning: Error): void };
    readonly reportError?: (error: unknown) => void;
  };
  const reason = cause instanceof Error ? cause.message : String(cause);
  const warning = new Error(`${message}: ${reason}`, { cause });
  warning.name = 'RostackClientWarning';
  if (node?.emitWarning !== undefined) node.emitWarning(warning);
  else reportError?.(warning);
}
