import { test } from 'vitest';
import { expectToSurviveFaults } from './survive-faults.ts';

/** Time is simulated, so the machine's speed decides only when it is over. */
const PATIENCE = { timeout: 300_000 };

// The night has a whole day.
test(
  'in three hours with every fault at 20 % every question is answered, no failure looks empty, all is well afterwards',
  PATIENCE,
  async () => {
    await expectToSurviveFaults(3, 180_000);
  },
);
