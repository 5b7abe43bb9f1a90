import { describe, test } from 'vitest';
import { CLIENT_MUTANTS } from './support/client-mutants.ts';
import { expectFailing, expectKept } from './support/client-runs.ts';

describe('a client that keeps the protocol passes:', () => {
  test.for(['the plain one', 'rostack-client'] as const)('%s', async (adapter) => {
    await expectKept(adapter);
  });
});

describe('a client with a fault fails for it, and for nothing else:', () => {
  test.concurrent.for(CLIENT_MUTANTS)('$name', async (mutant) => {
    await expectFailing(mutant);
  });
});
