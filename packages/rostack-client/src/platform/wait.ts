/** The longest delay of a platform timer: longer ones fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A delay that a timer can take. */
export const timerMs = (delayMs: number): number => Math.min(Math.max(Math.ceil(delayMs), 0), MAX_TIMER_MS);

/** Waits; rejects with the signal's reason when it is aborted before. */
export function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, timerMs(delayMs));
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
