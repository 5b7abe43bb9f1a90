import { expecting, guardObserver, withSubstitute } from 'rostack-core/client';
import { NetworkError } from '../../http/error/errors.ts';

/** The longest delay of a platform timer: longer ones fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Where a client takes its time from. */
export interface ClientClock {
  /** Milliseconds since the epoch. */
  wallMs(): number;
  /** Milliseconds that only go forward, even when the wall clock is set back. */
  monotonicMs(): number;
  /** Calls back once after a delay in milliseconds; a background timer does not keep the process alive. Returns how to cancel it. */
  after(delayMs: number, callback: () => void, isBackground?: boolean): () => void;
}

/** The clocks and timers of the machine. */
export const SYSTEM_CLOCK: ClientClock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback, isBackground = false) => {
    const timer = setTimeout(callback, Math.min(Math.max(Math.ceil(delayMs), 0), MAX_TIMER_MS));
    if (isBackground) unref(timer);
    return () => clearTimeout(timer);
  },
};

/** Only Node has timers that keep a process alive. */
function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') {
    timer.unref();
  }
}

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
  return withSubstitute('random', random, aShare, Math.random, (error) =>
    warn('random of rostack-client failed', error),
  );
}

const aShare = expecting(
  'a number from 0 to below 1',
  (value) => typeof value === 'number' && value >= 0 && value < 1,
);

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

interface EventSource {
  addEventListener?(type: string, listener: () => void, options: { readonly signal: AbortSignal }): void;
}

/** Ends waits early when the network or the page comes back, so that nobody sees old data until a timer fires. */
export class Waker {
  readonly #listeners = new Set<() => void>();

  /** Calls back when it is worth trying again. Returns a function that ends that. */
  onWake(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  wake(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Wakes when the browser is online again, and when its page becomes visible again; other platforms have neither event. */
  listen(signal: AbortSignal): void {
    const page = globalThis as EventSource & {
      readonly document?: EventSource & { readonly visibilityState?: string };
    };
    page.addEventListener?.('online', () => this.wake(), { signal });
    page.document?.addEventListener?.(
      'visibilitychange',
      () => {
        if (page.document?.visibilityState === 'visible') this.wake();
      },
      { signal },
    );
  }

  /** Waits for the delay, or until it is woken; rejects with the signal's reason if that is aborted first. */
  async wait(clock: ClientClock, delayMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const callOff = clock.after(delayMs, resolve);
    const stopListening = this.onWake(resolve);
    const onAbort = (): void => resolve();
    signal.addEventListener('abort', onAbort);
    await promise;
    signal.removeEventListener('abort', onAbort);
    callOff();
    stopListening();
    signal.throwIfAborted();
  }
}

/** A signal that is aborted together with others. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Whether the time ran out first. */
  readonly isTimedOut: boolean;
  /** Cancels the timer and removes the listeners from the sources, so that long-lived signals do not collect them. */
  release(): void;
}

/** A signal that is aborted when one of the sources is, with its reason, or when the time has run out. */
export function joinSignals(
  sources: readonly (AbortSignal | undefined)[],
  timeout?: { readonly clock: ClientClock; readonly afterMs: number },
): JoinedSignal {
  const controller = new AbortController();
  let isTimedOut = false;
  const onAbort = (event: Event): void => controller.abort((event.target as AbortSignal).reason);
  for (const source of sources) {
    if (source?.aborted === true) controller.abort(source.reason);
    source?.addEventListener('abort', onAbort);
  }
  const onTimeout = (): void => {
    isTimedOut = !controller.signal.aborted;
    controller.abort();
  };
  const callOff = timeout?.clock.after(timeout.afterMs, onTimeout);
  return {
    signal: controller.signal,
    get isTimedOut() {
      return isTimedOut;
    },
    release() {
      callOff?.();
      for (const source of sources) source?.removeEventListener('abort', onAbort);
    },
  };
}

/** Loads a part of this package that not everybody needs. @throws NetworkError if its file cannot be read */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new NetworkError('a part of rostack-client', cause);
  }
}

/** Loaded with the first filter. @throws NetworkError */
export const loadFilters = () => loadPart(() => import('../../list/filters.ts'));

/** The code that checks filters and decides what matches them. */
export type Filters = Awaited<ReturnType<typeof loadFilters>>;

/** What an order, chosen fields, a store, large pages, pages read ahead, and URL templates with more than `{id}` need. @throws NetworkError */
export const loadLaterParts = () => loadPart(() => import('../../client/later-parts.ts'));
