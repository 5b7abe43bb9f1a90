import { MenuError } from '../domain/menu-error.ts';
import { systemClock } from '../http/clock.ts';
import { openOperators } from '../open-operators.ts';
import { createMenuService } from '../service/create-menu-service.ts';
import { openMenuStore } from '../store/open-menu-store.ts';
import { type CliCommand, parseArguments, USAGE } from './arguments.ts';
import { renderDay, renderRestaurants } from './render.ts';

const NO_ACCOUNT = 'welstory needs WELSTORY_USERNAME and WELSTORY_PASSWORD.';

async function answer(command: CliCommand): Promise<string> {
  if (command.name === 'help') return USAGE;
  const operators = openOperators(process.env);
  if (operators.every(({ vendor }) => vendor !== 'welstory')) {
    if (command.name === 'menu' && command.vendor === 'welstory')
      throw new MenuError('invalid_argument', NO_ACCOUNT);
    process.stderr.write(`Left out: ${NO_ACCOUNT}\n`);
  }
  await using service = createMenuService({
    operators,
    store: await openMenuStore(process.env.STORE_URL ?? 'memory:'),
    deadlineMs: 30_000,
  });
  if (command.name === 'search') {
    const { restaurants, incomplete } = await service.search(command.query, { limit: command.limit });
    for (const { vendor, reason, since } of incomplete)
      process.stderr.write(`Not searched: ${vendor} could not be read since ${since} (${reason}).\n`);
    if (restaurants.length === 0 && incomplete.length > 0) {
      process.exitCode = 1;
      return command.json ? '[]\n' : '';
    }
    return `${command.json ? JSON.stringify(restaurants, undefined, 2) : renderRestaurants(restaurants)}\n`;
  }
  const day = await service.dailyMenu(command.vendor, command.id, command.date);
  return `${command.json ? JSON.stringify(day, undefined, 2) : renderDay(day)}\n`;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that stops early, such as head, is not a failure.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exitCode = 1;
});

/** Exit codes: 0, 1 for a failure, 2 for wrong arguments or settings. */
try {
  process.stdout.write(await answer(parseArguments(process.argv.slice(2), systemClock.nowMs())));
} catch (error) {
  if (!(error instanceof MenuError)) throw error;
  const wrong = error.code === 'invalid_argument' || error.code === 'invalid_date';
  const retry = error.retryable ? ' Try again later.' : '';
  process.stderr.write(`${error.message}${retry} (${error.code})\n${wrong ? `\n${USAGE}` : ''}`);
  process.exitCode = wrong ? 2 : 1;
}
