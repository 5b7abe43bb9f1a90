import { expect, test } from 'vitest';
import { allKept, runOn } from './support/gateway-runs.ts';

/** A run waits for the machine many times; all other tests may run beside it. */
const TIMEOUT_MS = 300_000;

// The night has both releases over both databases, and an authorization server.
test('our gateway keeps all that is checked, over SQLite by the newest release', {
  timeout: TIMEOUT_MS,
}, async () => {
  expect(await runOn('2026-08-13')).toEqual(allKept('2026-08-13'));
});
