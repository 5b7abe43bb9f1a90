import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './run.ts';

const SHOWN = 10;

/** Prints the test files that took longest, including imports and hooks. */
// oxlint-disable-next-line import/no-default-export -- Vitest takes the default export of a reporter's file
export default class LongestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ file: relative(root, module.moduleId), seconds: secondsOf(module) }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN);
    console.log('\nThe longest files:');
    for (const { file, seconds } of files) console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}`);
  }
}

function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
}
