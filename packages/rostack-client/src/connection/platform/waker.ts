import type { ClientClock } from './clock.ts';

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
