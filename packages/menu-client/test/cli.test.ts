import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatCompactDate } from 'menu-client';
import { DEFAULT_CREDENTIALS, type Sandbox, startSandbox } from 'menu-sandbox';
import { ASKED_DATES, ASKED_MEALS, ASKED_NOON_MS } from 'test-support/asked-dates';
import { servedDate } from 'test-support/served-date';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseArguments } from '../src/cli/arguments.ts';
import { runCli } from '../src/cli/run-cli.ts';

const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** The command, in this process. */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  nowMs: () => number = Date.now,
): Promise<Run> {
  const { WELSTORY_BASE_URL, PLANEAT_BASE_URL } = sandbox.environment;
  const written = { out: '', err: '' };
  const code = await runCli(args, {
    environment: { WELSTORY_BASE_URL, PLANEAT_BASE_URL, ...env },
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    nowMs,
  });
  return { code, ...written };
}

/** The command as a user starts it. */
function start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=workspace-source', MAIN, ...args],
      { env: { PATH: process.env['PATH'], ...env } },
      (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

const ACCOUNT = {
  WELSTORY_USERNAME: DEFAULT_CREDENTIALS.username,
  WELSTORY_PASSWORD: DEFAULT_CREDENTIALS.password,
};

describe('search', () => {
  test('prints a table of what it finds', async () => {
    const { code, out, err } = await run(['search', '강남', '--limit', '3'], ACCOUNT);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [head, ...rows] = out.trimEnd().split('\n');
    expect(head).toMatch(/^OPERATOR +ID +NAME +LOCATION$/);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toContain('강남');
  });

  test('prints JSON on request, and says which operator was left out', async () => {
    const { code, out, err } = await run(['search', '푸드홀', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ vendor: 'shinsegae' }));
    expect(err).toContain('WELSTORY_USERNAME');
  });
});

test.runIf(existsSync('/dev/full'))(
  'an output that cannot be written is told, and is a failure',
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--conditions=workspace-source', MAIN, 'search', '푸드홀'], {
      env: { PLANEAT_BASE_URL: sandbox.environment.PLANEAT_BASE_URL },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const written: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => written.push(chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    const err = Buffer.concat(written).toString();
    expect(err).toContain('The output cannot be written: ENOSPC: no space left on device, write\n');
    expect(err).not.toContain('    at ');
    expect(code).toBe(1);
  },
);

test('a search, and a day of a named restaurant, that could not look everywhere says so and fails where nothing matches', async () => {
  sandbox.setFaults([{ fault: 'forbidden', operator: 'welstory' }]);
  const left = /^Not searched: welstory could not be read since \S+Z \(\w+\)\.$/m;
  const none = await run(['search', '한빛전자'], ACCOUNT);
  expect([none.code, none.out]).toEqual([1, '']);
  expect(none.err).toMatch(left);
  const some = await run(['search', '푸드홀', '--json'], ACCOUNT);
  expect(some.code).toBe(0);
  expect(JSON.parse(some.out)).toContainEqual(expect.objectContaining({ vendor: 'shinsegae' }));
  expect(some.err).toMatch(left);
  const today = await run(['today', 'R5 1식당'], ACCOUNT);
  expect([today.code, today.out]).toEqual([1, '']);
  expect(today.err).toMatch(left);
  expect(today.err).toContain('No restaurant matches "R5 1식당".');
  sandbox.setFaults([]);
});

describe('menu', () => {
  test('prints the meals of a day', async () => {
    const date = servedDate(sandbox, 'welstory', 'REST000007');
    const { code, out } = await run(['menu', 'welstory', 'REST000007', formatCompactDate(date)], ACCOUNT);
    const plan = sandbox.plan('welstory', 'REST000007', date);
    expect(code).toBe(0);
    for (const { meal, courses } of plan) {
      expect(out).toContain(meal.label);
      for (const course of courses) expect(out).toContain(course.dishes[0]?.name);
    }
  });

  test('prints the meal of the moment first and those that are over last', async () => {
    const date = servedDate(sandbox, 'welstory', 'REST000007');
    const args = ['menu', 'welstory', 'REST000007', formatCompactDate(date)];
    const labels = sandbox.plan('welstory', 'REST000007', date).map(({ meal }) => meal.label);
    const printed = async (clock: string): Promise<string[]> => {
      const { out } = await run(args, ACCOUNT, () => Date.parse(`${date}T${clock}:00+09:00`));
      return out.split('\n').filter((line) => labels.includes(line));
    };
    const [breakfast, lunch, dinner] = labels;
    expect(await printed('11:50')).toEqual([lunch, dinner, breakfast]);
    expect(await printed('18:00')).toEqual([dinner, breakfast, lunch]);
  });

  test('prints today as JSON by default', async () => {
    const { code, out } = await run(['menu', 'welstory', 'REST000007', '--json'], ACCOUNT);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ restaurant: { id: 'REST000007' }, date: expect.any(String) });
  });

  test('understands a day and a meal as people say them', () => {
    const ask = (...day: string[]) => parseArguments(['menu', 'welstory', 'R1', ...day], ASKED_NOON_MS);
    for (const [text, date] of ASKED_DATES) expect(ask(...text.split(' ')), text).toMatchObject({ date });
    for (const [text, date, meal] of ASKED_MEALS) expect(ask(text), text).toMatchObject({ date, meal });
  });

  test('a meal that is named is printed alone', async () => {
    const day = servedDate(sandbox, 'welstory', 'REST000007');
    const { out } = await run(['menu', 'welstory', 'REST000007', day, 'lunch', '--json'], ACCOUNT);
    const { periods } = JSON.parse(out) as { periods: { code: string }[] };
    expect(periods.map(({ code }) => code)).toEqual(['2']);
  });

  test('a restaurant that is not there is a failure with its code', async () => {
    const { code, out, err } = await run(['menu', 'shinsegae', 'nowhere', 'today']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('restaurant_not_found');
  });
});

describe('wrong arguments', () => {
  test.each<[string[], string, Record<string, string>?]>([
    [['dance'], 'no command'],
    [['search'], 'keyword'],
    [['search', 'a', '--limit', 'x'], '--limit'],
    [['search', 'a', '--nothing'], '--nothing'],
    [['menu', 'somebody', '1'], 'welstory, shinsegae'],
    [['menu', 'shinsegae', 'CAF1', 'someday'], 'YYYYMMDD'],
    [['menu', 'welstory', 'REST000007'], 'WELSTORY_PASSWORD'],
    [['search', 'a'], 'WELSTORY_URL is now WELSTORY_BASE_URL', { WELSTORY_URL: 'http://127.0.0.1:1' }],
    [['search', 'a'], 'MENU_STORE is now STORE_URL', { MENU_STORE: 'memory:' }],
    [['search', 'a'], 'Pass a store such as memory:', { STORE_URL: 'redis://localhost' }],
  ])('%j, %s: exit code 2, what to send, and the usage', async (args, hint, env = {}) => {
    const { code, out, err } = await run(args, env);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(hint);
    expect(err).toContain('Usage:');
  });

  test('the program ends with the same, from its own arguments and environment', async () => {
    const { code, out, err } = await start(['search', 'a'], { STORE_URL: 'redis://localhost' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Pass a store such as memory:');
  });

  test('no arguments show the usage', async () => {
    expect(await run([])).toMatchObject({ code: 0, out: expect.stringContaining('Usage:') });
  });
});
