import { KitError } from '../base/kit-error.ts';
import { runClientConformance, selectClientChecks } from '../client/run-client-conformance.ts';
import { toReport } from '../report/report.ts';
import { anInteger, type CheckOptions, collect, durationMs } from './check-options.ts';
import type { CommandIo, RegisterCommand } from './command-io.ts';
import { checkLine, summaryLines } from './progress.ts';
import { expectedFailures, writeFiles } from './report-files.ts';

interface ClientOptions extends Pick<CheckOptions, 'expectedFailures' | 'report' | 'only' | 'list' | 'seed'> {
  readonly adapter?: string;
  readonly patience: number;
}

/** `rostack-conformance client --adapter <command>`: checks a client against scripted servers. */
export const registerClient: RegisterCommand = (program, io, exit) => {
  program
    .command('client')
    .description('Tells whether a client keeps the protocol, by servers on this computer that it follows.')
    .option('--adapter <command>', 'what starts the process that holds the client')
    .option(
      '--patience <duration>',
      'how long the client may take for a step, such as 10s',
      durationMs,
      10_000,
    )
    .option('--expected-failures <file>', 'YAML: ids of requirements that are known to be broken, and why')
    .option('--report <folder>', 'write the reports there, report.html first of all')
    .option('--only <name>', 'a check or a requirement, or the beginning of one; may be repeated', collect)
    .option('--list', 'print the checks and start nothing', false)
    .option('--seed <number>', 'what all random choices follow from', anInteger, 1)
    .action(async (options: ClientOptions) => {
      exit(await check(options, io));
    });
};

async function check(options: ClientOptions, { stdout, stop }: CommandIo): Promise<number> {
  const { adapter, only, seed, patience: patienceMs } = options;
  const checks = selectClientChecks(only);
  if (options.list) {
    for (const { name, requirements } of checks) {
      stdout.write(`${[name, ...requirements.map((id) => `  ${id}`)].join('\n')}\n`);
    }
    return 0;
  }
  if (adapter === undefined) throw new KitError('usage', 'pass --adapter, such as "node adapter.mjs"');
  if (checks.length === 0) throw new KitError('usage', `no check is named ${(only ?? []).join(' or ')}`);
  const expected = expectedFailures(options);
  stdout.write(`${checks.length} checks of the client behind "${adapter}", seed ${seed}.\n`);
  stdout.write('Each starts a server and the adapter on this computer; nothing is sent elsewhere.\n\n');
  const run = await runClientConformance(
    { adapter, only, seed, patienceMs, signal: stop },
    { onCheck: (result) => void stdout.write(checkLine(result)) },
  );
  const report = toReport(run, expected);
  stdout.write(summaryLines(report));
  await writeFiles(report, options, stdout);
  return report.is_conformant ? 0 : 1;
}
