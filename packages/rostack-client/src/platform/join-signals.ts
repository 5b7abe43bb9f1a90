import { timerMs } from './wait.ts';

/** A signal that ends with others. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Whether the time ran out first. */
  readonly isTimedOut: boolean;
  /** Lets go of the others and of the timer, so that long-lived signals gather nothing. */
  release(): void;
}

/** A signal that is aborted when one of the sources is, with its reason, or when the time has run out, in milliseconds. */
export function joinSignals(
  sources: readonly (AbortSignal | undefined)[],
  timeoutMs: number = Number.POSITIVE_INFINITY,
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
  const timer = Number.isFinite(timeoutMs) ? setTimeout(onTimeout, timerMs(timeoutMs)) : undefined;
  return {
    signal: controller.signal,
    get isTimedOut() {
      return isTimedOut;
    },
    release() {
      clearTimeout(timer);
      for (const source of sources) source?.removeEventListener('abort', onAbort);
    },
  };
}
