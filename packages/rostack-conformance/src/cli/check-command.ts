import { KitError } from '../base/kit-error.ts';
import { CHECKS, WATCHES } from '../checks/checks.ts';
import { ProcessDriver } from '../driver/process-driver.ts';
import { toReport } from '../report/report.ts';
import { runWith, selectChecks } from '../run/run-with.ts';
import type { Target } from '../run/target.ts';
import { type CheckOptions, targetOf, withCheckOptions } from './check-options.ts';
import type { CommandIo, RegisterCommand } from './command-io.ts';
import { announcement, checkLine, summaryLines } from './progress.ts';
import { expectedFailures, writeFiles } from './report-files.ts';

/** `rostack-conformance <url>`: checks a target, prints the results, and writes the reports. */
export const registerCheck: RegisterCommand = (program, io, exit) => {
  withCheckOptions(program)
    .description('Tells whether an implementation of rostack_v1 keeps the protocol, from its URL.')
    .argument('[url]', 'the origin, such as https://data.example.com')
    .addHelpText('after', '\nExit codes: 0 nothing is broken, 1 something is, 2 wrong usage.')
    .action(async (url: string | undefined, options: CheckOptions) => {
      if (options.list) {
        list(options, io);
        return;
      }
      if (url === undefined)
        throw new KitError('usage', 'pass the URL of the target, such as https://data.example.com');
      exit(await check(targetOf(url, options, io), options, io));
    });
};

function list(options: CheckOptions, { stdout }: CommandIo): void {
  for (const { name, level, requirements, needs } of selectChecks(CHECKS, options)) {
    stdout.write(`${name} (${level}${needs.map((need) => `, needs ${need}`).join('')})\n`);
    for (const id of requirements) stdout.write(`  ${id}\n`);
  }
}

async function check(target: Target, options: CheckOptions, { stdout }: CommandIo): Promise<number> {
  const expected = expectedFailures(options);
  const checks = selectChecks(CHECKS, target);
  if (checks.length === 0)
    throw new KitError('usage', `no check is named ${(options.only ?? []).join(' or ')}`);
  stdout.write(announcement(checks, target, options.driver !== undefined));
  await using driver = options.driver === undefined ? undefined : await ProcessDriver.start(options.driver);
  const run = await runWith(
    { checks: CHECKS, watches: WATCHES },
    { ...target, driver },
    {
      onCheck: (result) => void stdout.write(checkLine(result)),
      onWait: (waitMs) => void stdout.write(`The target asks to wait: ${waitMs} ms.\n`),
    },
  );
  const report = toReport(run, expected);
  stdout.write(summaryLines(report));
  await writeFiles(report, options, stdout);
  return report.is_conformant ? 0 : 1;
}
