import { seededNumbers } from 'test-support/seeded-random';
import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { serveGateway } from './support/serve-gateway.ts';

const TIMEOUT_MS = 120_000;

test('every advertised operator is judged, whatever the seed and however many comparisons there would be', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using served = await serveGateway('2026-08-13');
  const { driver: _, ...target } = served.target;
  const random = seededNumbers();
  const unseen: string[] = [];
  for (const seed of [
    1_885_902_949,
    14_748_708,
    ...Array.from({ length: 6 }, () => Math.floor(random() * 2 ** 31)),
  ]) {
    const { verdicts } = await runConformance({ ...target, seed, only: ['reads.filter.operators'] });
    const skipped = verdicts.filter(
      ({ requirement: { id }, status }) => id.startsWith('filter.') && status === 'skip',
    );
    unseen.push(
      ...skipped
        .filter(({ reason }) => reason?.startsWith('no data'))
        .map(({ requirement }) => `${seed}: ${requirement.id}`),
    );
  }
  expect(unseen).toEqual([]);
});
