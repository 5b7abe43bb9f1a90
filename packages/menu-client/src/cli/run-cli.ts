import { MenuError } from '../domain/menu-error.ts';
import { openOperators } from '../open-operators.ts';
import { createMenuService } from '../service/create-menu-service.ts';
import { openMenuStore } from '../store/open-menu-store.ts';
import { escapedOutput } from '../text/escaped-output.ts';
import { type CliCommand, parseArguments, USAGE } from './arguments.ts';
import { renderDay, renderRestaurants } from './render.ts';

/** What the command takes from the process that it runs in. */
export interface CliSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Unix time in milliseconds. */
  readonly nowMs: () => number;
}

const NO_ACCOUNT = 'welstory needs WELSTORY_USERNAME and WELSTORY_PASSWORD.';

/** Runs the command and resolves with its exit code: 0, 1 for a failure, 2 for wrong arguments or settings. */
export async function runCli(argv: readonly string[], process: CliSurroundings): Promise<number> {
  const [stdout, stderr] = [escapedOutput(process.stdout), escapedOutput(process.stderr)];
  const surroundings = { ...process, stdout, stderr };
  const { nowMs } = surroundings;
  try {
    const { text, exitCode } = await answer(parseArguments(argv, nowMs()), surroundings);
    stdout.write(text);
    return exitCode;
  } catch (error) {
    if (!(error instanceof MenuError)) throw error;
    const wrong = error.code === 'invalid_argument' || error.code === 'invalid_date';
    const retry = error.retryable ? ' Try again later.' : '';
    stderr.write(`${error.message}${retry} (${error.code})\n${wrong ? `\n${USAGE}` : ''}`);
    return wrong ? 2 : 1;
  }
}

interface Answer {
  readonly text: string;
  readonly exitCode: 0 | 1;
}

async function answer(command: CliCommand, { environment, stderr, nowMs }: CliSurroundings): Promise<Answer> {
  if (command.name === 'help') return { text: USAGE, exitCode: 0 };
  const operators = openOperators(environment);
  if (operators.every(({ vendor }) => vendor !== 'welstory')) {
    if (command.name === 'menu' && command.vendor === 'welstory')
      throw new MenuError('invalid_argument', NO_ACCOUNT);
    stderr.write(`Left out: ${NO_ACCOUNT}\n`);
  }
  await using service = createMenuService({
    operators,
    store: await openMenuStore(environment['STORE_URL'] ?? 'memory:'),
    deadlineMs: 30_000,
  });
  if (command.name === 'search') {
    const { restaurants, incomplete } = await service.search(command.query, { limit: command.limit });
    for (const { vendor, reason, since } of incomplete)
      stderr.write(`Not searched: ${vendor} could not be read since ${since} (${reason}).\n`);
    if (restaurants.length === 0 && incomplete.length > 0) {
      return { text: command.json ? '[]\n' : '', exitCode: 1 };
    }
    const rendered = command.json
      ? JSON.stringify(restaurants, undefined, 2)
      : renderRestaurants(restaurants);
    return { text: `${rendered}\n`, exitCode: 0 };
  }
  const { meal } = command;
  const whole = await service.dailyMenu(command.vendor, command.id, command.date);
  const day =
    meal === undefined ? whole : { ...whole, periods: whole.periods.filter(({ code }) => code === meal) };
  return {
    text: `${command.json ? JSON.stringify(day, undefined, 2) : renderDay(day, nowMs())}\n`,
    exitCode: 0,
  };
}
