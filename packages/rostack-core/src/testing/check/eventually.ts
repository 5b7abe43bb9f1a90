// The timer of every platform, named here because no platform's types are at hand.
declare const setTimeout: (callback: () => void, delayMs: number) => unknown;

const STEP_MS = 5;

/** Lets others run, whose work is not done by promises alone. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    // oxlint-disable-next-line eslint/no-restricted-globals -- a hint comes in its own time, and nobody else could own this timer
    setTimeout(resolve, STEP_MS);
  });
}

/** Waits until a condition holds. @returns whether it came to hold within the time */
export async function eventually(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; !isSo(); waitedMs += STEP_MS) {
    if (waitedMs >= timeoutMs) return false;
    await pause();
  }
  return true;
}
