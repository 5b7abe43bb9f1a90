import { test } from 'vitest';
import { surviveFaults } from './survive-faults.ts';

test('a day with every fault at 20 %: every question is answered, no failure looks empty, all is well afterwards', async () => {
  await surviveFaults(24, 1_200_000);
});
