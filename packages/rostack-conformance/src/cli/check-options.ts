import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AUTHENTICATION_METHODS, type AuthenticationMethod, RELEASES, type Release } from 'rostack-core';
import { KitError } from '../base/kit-error.ts';
import { LEVELS, type Level } from '../check/level.ts';
import { DEFAULT_MAX_REQUESTS, type Target } from '../run/target.ts';
import type { CommandIo } from './command-io.ts';

/** The options of a check, as given on the command line. */
export interface CheckOptions {
  readonly tokenEnv?: string;
  readonly tokenEnvB?: string;
  readonly poorTokenEnv?: string;
  readonly auth?: AuthenticationMethod;
  readonly requirements?: Release;
  readonly level?: Level;
  readonly observe: number;
  readonly driver?: string;
  readonly expectedFailures?: string;
  readonly report?: string;
  readonly only?: string[];
  readonly list: boolean;
  readonly seed: number;
  readonly maxRequests: number;
  readonly ca?: string;
}

/** Adds the options of a check to a command. */
export const withCheckOptions = (command: Command): Command =>
  command
    .option('--token-env <name>', 'environment variable with a token that may read and follow everything')
    .option('--token-env-b <name>', 'the same, of another principal')
    .option('--poor-token-env <name>', 'the same, of a principal without permissions')
    .addOption(new Option('--auth <method>', 'what the tokens are').choices(AUTHENTICATION_METHODS))
    .addOption(
      new Option('--requirements <release>', 'the release to check by; else the one of the target').choices(
        RELEASES,
      ),
    )
    .addOption(new Option('--level <level>', 'check up to this level').choices(LEVELS))
    .option('--observe <duration>', 'how long live traffic may be watched, such as 120s', durationMs, 0)
    .option('--driver <command>', 'a program that changes the target from behind')
    .option('--expected-failures <file>', 'YAML: ids of requirements that are known to be broken, and why')
    .option('--report <folder>', 'write the reports there, report.html first of all')
    .option('--only <name>', 'a check or a requirement, or the beginning of one; may be repeated', collect)
    .option('--list', 'print the checks and send nothing', false)
    .option('--seed <number>', 'what all random choices follow from', anInteger, 1)
    .option('--max-requests <number>', 'HTTP requests at most', anInteger, DEFAULT_MAX_REQUESTS)
    .option('--ca <file>', 'PEM of an authority to trust');

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

/** Reads an integer. @throws InvalidArgumentError */
export function anInteger(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('Expected an integer.');
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Reads a duration. @returns milliseconds @throws InvalidArgumentError */
export function durationMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)(ms|s|m)$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined) throw new InvalidArgumentError('Expected a duration such as 500ms, 120s or 5m.');
  return Number(count) * unitMs;
}

/** The target that the options describe, without the driver. @throws KitError `usage` */
export function targetOf(url: string, options: CheckOptions, io: CommandIo): Target {
  const tokenIn = (name: string | undefined): string | undefined => {
    if (name === undefined) return undefined;
    const token = io.environment[name];
    if (token === undefined || token === '') {
      throw new KitError('usage', `there is no token in the environment variable ${name}`);
    }
    return token;
  };
  return {
    url,
    token: tokenIn(options.tokenEnv),
    secondToken: tokenIn(options.tokenEnvB),
    poorToken: tokenIn(options.poorTokenEnv),
    method: options.auth,
    release: options.requirements,
    level: options.level,
    observeMs: options.observe,
    only: options.only,
    seed: options.seed,
    maxRequests: options.maxRequests,
    ca: options.ca === undefined ? undefined : readInput(options.ca),
    signal: io.stop,
  };
}

/** The text of a file that an option names. @throws KitError `usage` */
export function readInput(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new KitError('usage', `${file} cannot be read`, { cause });
  }
}
