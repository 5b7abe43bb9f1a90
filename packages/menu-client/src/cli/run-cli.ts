import { MenuError } from '../error/menu-error.ts';
import { systemClock } from '../http/clock.ts';
import type { Operator } from '../operator/operator.ts';
import { createMenuService } from '../service/create-menu-service.ts';
import { planeatOperator } from '../shinsegae/planeat-operator.ts';
import { openMenuStore } from '../store/open-menu-store.ts';
import { welstoryOperator } from '../welstory/welstory-operator.ts';
import { type CliCommand, parseArguments, USAGE } from './arguments.ts';
import { renderDay, renderRestaurants } from './render.ts';

export interface CliContext {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** @returns the exit code: 0, 1 for a failure, 2 for wrong arguments */
export async function runCli({ argv, env, out, err }: CliContext): Promise<number> {
  try {
    const command = parseArguments(argv, systemClock.nowMs());
    if (command.name === 'help') {
      out(USAGE);
      return 0;
    }
    out(await answer(command, env, err));
    return 0;
  } catch (error) {
    if (!(error instanceof MenuError)) throw error;
    const wrong = error.code === 'invalid_argument' || error.code === 'invalid_date';
    err(
      `${error.message}${error.retryable ? ' Try again later.' : ''} (${error.code})\n${wrong ? `\n${USAGE}` : ''}`,
    );
    return wrong ? 2 : 1;
  }
}

async function answer(
  command: Exclude<CliCommand, { name: 'help' }>,
  env: CliContext['env'],
  err: CliContext['err'],
): Promise<string> {
  const operators = operatorsOf(env);
  if (operators.every(({ vendor }) => vendor !== 'welstory')) {
    const hint = 'welstory needs WELSTORY_USERNAME and WELSTORY_PASSWORD.';
    if (command.name === 'menu' && command.vendor === 'welstory')
      throw new MenuError('invalid_argument', hint);
    err(`Left out: ${hint}\n`);
  }
  await using service = createMenuService({
    operators,
    store: await openMenuStore(env.MENU_STORE ?? 'memory:'),
    deadlineMs: 30_000,
  });
  if (command.name === 'search') {
    const found = await service.search(command.query, { limit: command.limit });
    return `${command.json ? JSON.stringify(found, undefined, 2) : renderRestaurants(found)}\n`;
  }
  const day = await service.dailyMenu(command.vendor, command.id, command.date);
  return `${command.json ? JSON.stringify(day, undefined, 2) : renderDay(day)}\n`;
}

function operatorsOf(env: CliContext['env']): readonly Operator[] {
  const { WELSTORY_USERNAME: username, WELSTORY_PASSWORD: password, WELSTORY_URL, PLANEAT_URL } = env;
  const planeat = planeatOperator(PLANEAT_URL === undefined ? {} : { baseUrl: PLANEAT_URL });
  if (username === undefined || password === undefined) return [planeat];
  const baseUrl = WELSTORY_URL === undefined ? {} : { baseUrl: WELSTORY_URL };
  return [welstoryOperator({ username, password, ...baseUrl }), planeat];
}
