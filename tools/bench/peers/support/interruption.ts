const interrupting = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupting.abort(new Error(`ended by ${signal}`)));

/** Aborted when the process is asked to end: what waits then fails, and everything that was started is ended on the way. */
export const interruption: AbortSignal = interrupting.signal;
