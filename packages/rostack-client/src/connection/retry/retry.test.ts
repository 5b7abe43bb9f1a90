import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RetryRules, retryDelay } from './retry.ts';

const RULES: RetryRules = { minDelayMs: 100, maxDelayMs: 1_000, maxServerDelayMs: 5_000 };

describe('retryDelay', () => {
  test.for([
    ['the first failure, least luck', { failures: 1, random: 0 }, 100],
    ['the first failure, most luck', { failures: 1, random: 0.999_999 }, 200],
    ['the second failure', { failures: 2, random: 0.999_999 }, 400],
    ['many failures stay below the maximum', { failures: 60, random: 0.999_999 }, 1_000],
    ['many failures may still come early', { failures: 60, random: 0 }, 100],
    ['a larger delay of the server wins', { failures: 1, random: 0.5, serverDelayMs: 3_000 }, 3_000],
    ['a smaller one does not', { failures: 1, random: 0.5, serverDelayMs: 10 }, 150],
    ['a server cannot ask for ever', { failures: 1, random: 0, serverDelayMs: 1e15 }, 5_000],
  ] as const)('%s', ([, attempt, expected]) => expect(retryDelay(RULES, attempt)).toBe(expected));

  test('lies between the bounds, grows with the server, and spreads over the whole range', () => {
    const rules = fc.record({
      minDelayMs: fc.integer({ min: 100, max: 100_000 }),
      maxDelayMs: fc.integer({ min: 1_000, max: 1_000_000 }),
      maxServerDelayMs: fc.integer({ min: 0, max: 1_000_000 }),
    });
    const attempt = fc.record({
      failures: fc.integer({ min: 1, max: 1_000_000 }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      serverDelayMs: fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(rules, attempt, (rules, attempt) => {
        const delayMs = retryDelay(rules, attempt);
        const serverDelayMs = Math.min(attempt.serverDelayMs ?? 0, rules.maxServerDelayMs);
        expect(Number.isInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(Math.max(rules.minDelayMs, Math.floor(serverDelayMs)));
        expect(delayMs).toBeLessThanOrEqual(
          Math.ceil(Math.max(rules.maxDelayMs, rules.minDelayMs, serverDelayMs)),
        );
      }),
    );
  });
});
