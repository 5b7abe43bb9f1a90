import { join } from 'node:path';
import { DEFAULT_RELEASE, RELEASES } from 'rostack-core';
import { type ExpectedFailures, parseExpectedFailures } from '../report/expected-failures.ts';
import type { Report } from '../report/report.ts';
import { readRequirements } from '../report/requirements/read-requirements.ts';
import { writeReport } from '../report/write-report.ts';
import { type CheckOptions, readInput } from './check-options.ts';
import type { CommandIo } from './command-io.ts';

/** The requirements that a file says are known to be broken. @throws KitError `usage`, `unknown_requirement` */
export function expectedFailures({
  expectedFailures: file,
  requirements = DEFAULT_RELEASE,
}: Pick<CheckOptions, 'expectedFailures' | 'requirements'>): ExpectedFailures {
  if (file === undefined) return new Map();
  const known = new Set(
    [requirements, ...RELEASES].flatMap((release) => [...readRequirements(release).keys()]),
  );
  return parseExpectedFailures(readInput(file), known);
}

/** Writes the files of a report if a folder was named, and prints where. */
export async function writeFiles(
  report: Report,
  { report: folder }: Pick<CheckOptions, 'report'>,
  stdout: CommandIo['stdout'],
): Promise<void> {
  if (folder === undefined) return;
  await writeReport(report, folder);
  stdout.write(`\nThe report is ${join(folder, 'report.html')}.\n`);
}
