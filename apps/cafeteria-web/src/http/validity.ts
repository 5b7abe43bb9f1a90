import { nextMealMs } from '../domain/meal-clock.ts';
import type { ReadingMark } from './readings.ts';

/** How long a rendering is shown without asking for its data. */
export interface Validity {
  readonly untilMs: number;
  /** Where the readings stood before the data were asked for. */
  readonly mark: ReadingMark;
}

/** Another process may have read something anew, which this one finds out by looking; clients keep pages as long. */
const LOOK_AGAIN_MS = 60_000;

/** From now until the data are looked at again, and no longer than it is the same meal's time. */
export function validFrom(nowMs: number, mark: ReadingMark, lookAgainMs = LOOK_AGAIN_MS): Validity {
  return { untilMs: Math.min(nowMs + lookAgainMs, nextMealMs(nowMs)), mark };
}
