import { timerMs } from './wait.ts';

/** A signal that ends with others; disposing of it lets go of them, so that long-lived signals gather nothing. */
export interface JoinedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time ran out first. */
  readonly isTimedOut: boolean;
}

/** Aborts when one of the sources does, with its reason. */
export function joinSignals(...sources: readonly (AbortSignal | undefined)[]): JoinedSignal {
  return join(sources, undefined);
}

/** The same, and after a time in milliseconds. */
export function joinTimeout(
  timeoutMs: number,
  ...sources: readonly (AbortSignal | undefined)[]
): JoinedSignal {
  return join(sources, timeoutMs);
}

function join(sources: readonly (AbortSignal | undefined)[], timeoutMs: number | undefined): JoinedSignal {
  const controller = new AbortController();
  let isTimedOut = false;
  const onAbort = (event: Event): void => controller.abort((event.target as AbortSignal).reason);
  for (const source of sources) {
    if (source?.aborted === true) controller.abort(source.reason);
    source?.addEventListener('abort', onAbort);
  }
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isTimedOut = !controller.signal.aborted;
          controller.abort();
        }, timerMs(timeoutMs));
  return {
    signal: controller.signal,
    get isTimedOut() {
      return isTimedOut;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const source of sources) source?.removeEventListener('abort', onAbort);
    },
  };
}
