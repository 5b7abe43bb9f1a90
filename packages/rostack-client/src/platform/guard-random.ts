import { disarmPromise } from 'rostack-core';
import { warn } from './observer.ts';

/** A source of randomness that may fail: then the platform's own gives the number. */
export function guardRandom(random: () => number): () => number {
  return () => {
    try {
      const value: unknown = random();
      if (typeof value === 'number' && value >= 0 && value < 1) return value;
      disarmPromise(value, tell);
      tell(new RangeError(`it gave ${String(value)}: use 0 to below 1`));
    } catch (error) {
      tell(error);
    }
    return Math.random();
  };
}

const tell = (error: unknown): void => warn('random of rostack-client failed', error);
