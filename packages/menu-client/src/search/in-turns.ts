import { setImmediate } from 'node:timers/promises';

/** Work that can be interrupted wherever it yields. */
export type Work<T> = Generator<undefined, T, undefined>;

/** How long the work may block the process at a time, in milliseconds. */
const TURN_MS = 10;

/** Does the work in short turns; in between, the process answers what has come in. */
export async function inTurns<T>(work: Work<T>): Promise<T> {
  for (let untilMs = performance.now() + TURN_MS; ; ) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < untilMs) continue;
    await setImmediate();
    untilMs = performance.now() + TURN_MS;
  }
}
