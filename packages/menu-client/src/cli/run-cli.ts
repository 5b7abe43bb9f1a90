import type { DailyMenu } from '../domain/daily-menu.ts';
import { MenuError } from '../domain/menu-error.ts';
import { openOperators } from '../open-operators.ts';
import type { UnreadOperator } from '../service/contract/unread-operator.ts';
import { createMenuService } from '../service/create-menu-service.ts';
import { openMenuStore } from '../store/open-menu-store.ts';
import { escapedOutput } from '../text/escaped-output.ts';
import { type CliCommand, parseArguments, USAGE } from './arguments.ts';
import { dayMessage } from './post/day-message.ts';
import { parseWebhookUrl, postToWebhook } from './post/post-to-webhook.ts';
import { renderDay, renderRestaurants } from './render.ts';
import { namedRestaurant } from './today.ts';

/** What the command takes from the process that it runs in. */
export interface CliSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Where a webhook's URL may come from. @default empty */
  readonly stdin?: AsyncIterable<unknown>;
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

type Post = NonNullable<Extract<CliCommand, { name: 'today' }>['post']>;

/** The secret address: from the arguments, standard input or the environment. */
async function webhookUrl({ url }: Post, { environment, stdin }: CliSurroundings): Promise<URL> {
  const text = url === '-' ? await firstLine(stdin) : (url ?? environment['POST_WEBHOOK_URL']);
  if (text === undefined || text === '')
    throw new MenuError('invalid_argument', 'Put the URL of the webhook into POST_WEBHOOK_URL.');
  return parseWebhookUrl(text);
}

const MAX_URL_LENGTH = 4_096;

async function firstLine(stdin: AsyncIterable<unknown> | undefined): Promise<string> {
  let text = '';
  for await (const chunk of stdin ?? []) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_URL_LENGTH) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

/** Posts the menus. What could not be read is no menu to post, and a failure; a day without menus is neither. */
async function post(to: Post, day: DailyMenu, surroundings: CliSurroundings): Promise<Answer> {
  const { stderr, nowMs } = surroundings;
  const url = await webhookUrl(to, surroundings);
  const message = dayMessage(day, nowMs());
  const unread = day.periods.filter(({ status }) => status === 'failed' || status === 'loading');
  for (const { label, error } of unread)
    stderr.write(`${label} could not be read (${error?.code ?? 'loading'}).\n`);
  if (message === undefined) {
    if (unread.length === 0) stderr.write('There are no menus: nothing was posted.\n');
    return { text: '', exitCode: unread.length === 0 ? 0 : 1 };
  }
  const refused = await postToWebhook(to.service, url, message);
  if (refused !== undefined) stderr.write(`${refused}\n`);
  return { text: '', exitCode: refused === undefined ? 0 : 1 };
}

interface Answer {
  readonly text: string;
  readonly exitCode: 0 | 1;
}

async function answer(command: CliCommand, surroundings: CliSurroundings): Promise<Answer> {
  const { environment, stderr, nowMs } = surroundings;
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
  const tellUnread = (operators: readonly UnreadOperator[]) => {
    for (const { vendor, reason, since } of operators)
      stderr.write(`Not searched: ${vendor} could not be read since ${since} (${reason}).\n`);
  };
  if (command.name === 'search') {
    const { restaurants, incomplete } = await service.search(command.query, { limit: command.limit });
    tellUnread(incomplete);
    if (restaurants.length === 0 && incomplete.length > 0) {
      return { text: command.json ? '[]\n' : '', exitCode: 1 };
    }
    const rendered = command.json
      ? JSON.stringify(restaurants, undefined, 2)
      : renderRestaurants(restaurants);
    return { text: `${rendered}\n`, exitCode: 0 };
  }
  const { meal } = command;
  const { vendor, id } =
    command.name === 'menu' ? command : await namedRestaurant(service, command.words, tellUnread);
  const whole = await service.dailyMenu(vendor, id, command.date);
  const day =
    meal === undefined ? whole : { ...whole, periods: whole.periods.filter(({ code }) => code === meal) };
  if (command.name === 'today' && command.post !== undefined) return post(command.post, day, surroundings);
  return {
    text: `${command.json ? JSON.stringify(day, undefined, 2) : renderDay(day, nowMs())}\n`,
    exitCode: 0,
  };
}
