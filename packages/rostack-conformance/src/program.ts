import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { RELEASES, type Release } from 'rostack-core';
import type { Verdict } from './run/verdict.ts';
import { runConformance } from './run-conformance.ts';

interface Options {
  readonly tokenEnv?: string;
  readonly tokenEnvB?: string;
  readonly poorTokenEnv?: string;
  readonly requirements?: Release;
  readonly only?: string[];
  readonly seed: number;
  readonly ca?: string;
}

const program = new Command('rostack-conformance')
  .description('Tells whether an implementation of rostack_v1 keeps the protocol.')
  .argument('<url>', 'the origin, such as https://data.example.com')
  .option('--token-env <name>', 'environment variable with a token that may read and follow everything')
  .option('--token-env-b <name>', 'the same of another principal')
  .option('--poor-token-env <name>', 'the same of a principal that lacks permissions')
  .addOption(new Option('--requirements <release>', 'the release to check').choices(RELEASES))
  .option('--only <name>', 'a check or requirement, or a beginning of its name; may be repeated', collect)
  .option('--seed <number>', 'what all random choices follow from', wholeNumber, 1)
  .option('--ca <file>', 'PEM of an authority to trust')
  .action(check);

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('It is a whole number.');
}

function tokenIn(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const token = process.env[name];
  if (token === undefined || token === '') throw new InvalidArgumentError(`${name} holds no token.`);
  return token;
}

async function check(url: string, options: Options): Promise<void> {
  const run = await runConformance({
    url,
    token: tokenIn(options.tokenEnv),
    secondToken: tokenIn(options.tokenEnvB),
    poorToken: tokenIn(options.poorTokenEnv),
    release: options.requirements,
    only: options.only,
    seed: options.seed,
    ca: options.ca === undefined ? undefined : readFileSync(options.ca, 'utf8'),
  });
  for (const verdict of run.verdicts) if (verdict.status !== 'skip') write(lineOf(verdict));
  if (run.verdicts.some(({ status }) => status === 'fail' || status === 'error')) process.exitCode = 1;
}

const lineOf = ({ requirement, status, failures, reason }: Verdict): string =>
  [
    `${status.padEnd(5)} ${requirement.id}`,
    ...failures.map(({ got }) => `      ${got}`),
    ...(reason ? [reason] : []),
  ].join('\n');

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`rostack-conformance: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
