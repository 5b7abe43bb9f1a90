import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const source = {
  resolve: { conditions: ['workspace-source'] },
  ssr: { resolve: { conditions: ['workspace-source'] } },
};

/** What an integration test has, whatever its tier. */
const integration = {
  setupFiles: [
    'test-support/setup/measure-processor',
    'test-support/setup/seed-random',
    'test-support/setup/patient-waits',
  ],
  expect: { poll: { timeout: 20_000 } },
  // Programs that tests start take half the time when their modules have been compiled before.
  env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/node') },
  // Far more than any takes: a machine may have other work for all its processors.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

/** Tests of other tiers than the commit's: see CONTRIBUTING.md. */
const OTHER_TIERS = '**/*.{night,timed}.test.{ts,tsx}';
const exclude = [...configDefaults.exclude, OTHER_TIERS];

/** Files that take about a minute or more start first, lest one of them runs alone at the end. */
const LONG = [
  'proving/test/simulation.test.ts',
  'rostack-conformance/test/client.test.ts',
  'rostack-conformance/test/gateway.test.ts',
  'rostack-gateway/test/workers.test.ts',
  'proving/test/convergence.test.ts',
  'rostack-conformance/test/follows-mutants.test.ts',
  'rostack-conformance/test/mutants.test.ts',
  'rostack-explorer/test/accessibility.test.ts',
  'rostack-store/test/agreement.test.ts',
  'rostack-store/test/kill.test.ts',
  'cafeteria-web/test/appearance.test.ts',
  'cafeteria-web/test/running.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // More than two cores: tests wait for sockets, databases and programs two thirds of their time.
    maxWorkers: Math.max(5, availableParallelism()),
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          // They share no state, and a process for each file took as long as the tests themselves.
          isolate: false,
          include: ['{packages,apps}/*/src/**/*.test.{ts,tsx}'],
          exclude,
          setupFiles: [
            'test-support/setup/measure-processor',
            'test-support/setup/fail-on-console',
            'test-support/setup/seed-random',
          ],
          // For tests that hang: on a busy machine a property test takes many times as long as alone.
          testTimeout: 30_000,
        },
      },
      {
        ...source,
        test: {
          ...integration,
          name: 'integration',
          // Imports of our own modules were a third of the processor time.
          isolate: false,
          include: ['{packages,apps,tools}/*/test/**/*.test.{ts,tsx}'],
          exclude,
        },
      },
      {
        test: {
          name: 'repository',
          setupFiles: ['test-support/setup/measure-processor'],
          include: ['test/**/*.test.ts'],
          exclude,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...source,
        test: {
          ...integration,
          name: 'timed',
          include: ['{packages,apps,tools}/*/{src,test}/**/*.timed.test.{ts,tsx}'],
          // They measure seconds, so nothing else may run beside them.
          fileParallelism: false,
        },
      },
      {
        ...source,
        test: {
          ...integration,
          name: 'night',
          isolate: false,
          include: ['{packages,apps,tools}/*/{src,test}/**/*.night.test.{ts,tsx}', 'test/**/*.night.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
