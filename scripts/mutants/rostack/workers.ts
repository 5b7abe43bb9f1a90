import type { Mutant } from '../mutant.ts';

const file = 'apps/rostack-gateway/src/cluster/workers/supervisor.ts';
const tests = ['apps/rostack-gateway/test/workers-health.test.ts'] as const;

export const workerMutants: readonly Mutant[] = [
  {
    name: 'workers that cannot start are started without a pause',
    file,
    find: 'Math.min(MIN_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS)',
    replace: '0',
    tests,
  },
  {
    name: 'a worker that served is replaced only after a pause',
    file,
    find: 'failures === 0 ? 0 :',
    replace: 'failures === 0 ? MIN_PAUSE_MS :',
    tests,
  },
  {
    name: 'the pause before a start does not grow',
    file,
    find: 'slot.failures = isSteady ? 1 : slot.failures + 1;',
    replace: 'slot.failures = 1;',
    tests,
  },
  {
    name: 'a worker that does not serve is asked whether it is ready',
    file,
    find: 'const isServing = current.servingSinceMs !== undefined;',
    replace: 'const isServing = true;',
    tests,
  },
];
