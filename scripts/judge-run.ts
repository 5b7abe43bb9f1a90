import { relative } from 'node:path';
import { env } from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './run.ts';

interface ReportedTest {
  readonly file: string;
  /** With those of the suites around it. */
  readonly fullName: string;
  readonly name: string;
  readonly isSkipped: boolean;
}

/** What is wrong with a run's tests beside their verdicts. @param isStrict whether nothing may be left out */
export function runFaults(tests: readonly ReportedTest[], isStrict: boolean): string[] {
  const seen = new Set<string>();
  return tests.flatMap(({ file, fullName, name, isSkipped }) => {
    const id = `${file}: ${fullName}`;
    const faults: string[] = [];
    if (isStrict && isSkipped) faults.push('was skipped, which is a failure where CI is set');
    if (/^[\d\s.,:_-]*$/.test(name)) faults.push('has a name that says nothing');
    if (seen.has(id)) faults.push('has the name of another test of its file');
    seen.add(id);
    return faults.map((fault) => `${id} ${fault}`);
  });
}

/** Fails a run with skipped tests (where `CI` is set), and with tests that cannot be told apart by their names. */
// oxlint-disable-next-line import/no-default-export -- Vitest takes the default export of a reporter's file
export default class JudgeRun implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) =>
      Array.from(module.children.allTests(), (test) => ({
        file: relative(root, module.moduleId),
        fullName: test.fullName,
        name: test.name,
        isSkipped: test.result().state === 'skipped',
      })),
    );
    const faults = runFaults(tests, env['CI'] !== undefined);
    if (faults.length === 0) return;
    console.error(`\n${faults.join('\n')}`);
    process.exitCode = 1;
  }
}
