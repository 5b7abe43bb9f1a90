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
