import type { ClientClock } from './clock.ts';

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
