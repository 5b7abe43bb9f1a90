import { test } from 'vitest';
import { expectToSurviveFaults } from './survive-faults.ts';

test('a day with every fault at 20 %: every question is answered, no failure looks empty, all is well afterwards', async () => {
  await expectToSurviveFaults(24, 1_200_000);
});
