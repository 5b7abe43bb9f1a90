import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fullBucket, takeToken } from './session-state.ts';

const rate = { burst: 3, perSecond: 10 };

describe('a token bucket', () => {
  test('lets a burst through, then tells how long to wait', () => {
    let bucket = fullBucket(rate, 0);
    const waits = [0, 0, 0, 0, 60, 100].map((nowMs) => {
      const taken = takeToken(bucket, rate, nowMs);
      bucket = taken.bucket;
      return taken.waitMs;
    });
    expect(waits).toEqual([0, 0, 0, 100, 40, 0]);
  });

  test('never lets more through than the burst plus what the rate earned, and a wait told is enough', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 200 }), (pausesMs) => {
        let bucket = fullBucket(rate, 0);
        let nowMs = 0;
        let passed = 0;
        for (const pauseMs of pausesMs) {
          nowMs += pauseMs;
          const taken = takeToken(bucket, rate, nowMs);
          bucket = taken.bucket;
          if (taken.waitMs === 0) passed += 1;
          const later = taken.waitMs === 0 ? taken : takeToken(bucket, rate, nowMs + taken.waitMs);
          expect(later.waitMs).toBe(0);
        }
        expect(passed).toBeLessThanOrEqual(rate.burst + Math.ceil((nowMs / 1_000) * rate.perSecond));
      }),
    );
  });
});
