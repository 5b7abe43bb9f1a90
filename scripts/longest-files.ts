import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { env } from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './run.ts';

const SHOWN = 10;

/** Prints the test files that took longest, by processor time where it was measured, imports and hooks included. */
// oxlint-disable-next-line import/no-default-export -- Vitest takes the default export of a reporter's file
export default class LongestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const measured = processorSeconds();
    const files = (
      measured ??
      modules.map((module) => ({ file: relative(root, module.moduleId), seconds: wallSeconds(module) }))
    ).toSorted((a, b) => b.seconds - a.seconds);
    const sum = files.reduce((total, { seconds }) => total + seconds, 0);
    const what = measured === undefined ? 'seconds' : 'seconds of processor time';
    console.log(`\n${sum.toFixed(0)} ${what} in ${files.length} files; the longest:`);
    const isWhole = env['TEST_FILES_SHOWN'] === 'all';
    for (const { file, seconds } of isWhole ? files : files.slice(0, SHOWN))
      console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}`);
  }
}

/** What `test-support/setup/measure-processor` has written. */
function processorSeconds(): { readonly file: string; readonly seconds: number }[] | undefined {
  const written = env['TEST_PROCESSOR_FILE'];
  if (written === undefined || !existsSync(written)) return undefined;
  return readFileSync(written, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string; seconds: number })
    .map(({ file, seconds }) => ({ file: relative(root, file), seconds }));
}

function wallSeconds(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
}
