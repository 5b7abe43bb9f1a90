// Every platform has this timer. It is declared here because this package has no platform's types.
declare const setTimeout: (callback: () => void, delayMs: number) => unknown;

const STEP_MS = 5;

/** Lets other work run that takes more than promises, such as timers and I/O. */
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
