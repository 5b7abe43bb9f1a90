import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const source = {
  resolve: { conditions: ['workspace-source'] },
  ssr: { resolve: { conditions: ['workspace-source'] } },
};

export default defineConfig({
  test: {
    // Two also on a machine of two cores: many tests wait for sockets and databases more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          include: ['{packages,apps}/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          setupFiles: ['./test/fail-on-console.ts'],
        },
      },
      {
        ...source,
        test: {
          name: 'integration',
          include: ['{packages,apps}/*/test/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'repository',
          include: ['test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
