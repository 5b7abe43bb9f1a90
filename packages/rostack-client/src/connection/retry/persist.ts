import { ClientError } from '../../http/error/errors.ts';
import { SYSTEM_CLOCK, Waker } from '../platform/platform.ts';
import { retry, retryDelayAfter, retryRules } from './retry.ts';

/** The longest delay that a server may ask for before its discovery is known. */
const MAX_SERVER_DELAY_MS = 300_000;

/** Attempts something until it succeeds, or fails for good; waits end when the network or the page comes back. */
export async function persist<R>(attempt: () => Promise<R>, signal: AbortSignal): Promise<R> {
  const waker = new Waker();
  const listening = new AbortController();
  waker.listen(AbortSignal.any([signal, listening.signal]));
  try {
    return await retry(
      async () => {
        signal.throwIfAborted();
        return attempt();
      },
      (error, failures) => {
        if (!(error instanceof ClientError)) throw error;
        const rules = retryRules(undefined, MAX_SERVER_DELAY_MS);
        return waker.wait(SYSTEM_CLOCK, retryDelayAfter(rules, error, failures, Math.random()), signal);
      },
    );
  } finally {
    listening.abort();
  }
}
