import { expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';

const CLI = new URL('../src/cli.ts', import.meta.url).pathname;
const run = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  runCommand('--conditions=workspace-source', [CLI, ...args], { env });

test('--help tells what there is', async () => {
  const { code, output } = await run(['--help']);
  expect(code).toBe(0);
  for (const word of [
    'PLANEAT_BASE_URL',
    'WELSTORY_BASE_URL',
    'WELSTORY_DEVICE_ID',
    'STORE_URL',
    'OPERATOR_TIMEOUT_MS',
    'OPERATOR_MAX_ANSWER_BYTES',
    'PLANEAT_MAX_TREE_BYTES',
    'WELSTORY_USERNAME',
  ])
    expect(output).toContain(word);
});

test.each<[string[], Record<string, string>, string]>([
  [[], { PLANEAT_BASE_URL: 'ftp://x' }, 'PLANEAT_BASE_URL must be an http or https URL.'],
  [[], { WELSTORY_USERNAME: 'u' }, 'Set both WELSTORY_USERNAME and WELSTORY_PASSWORD'],
  [[], { STORE_URL: 'redis://x' }, 'Pass a store such as memory:'],
  [[], { PLANEAT_URL: 'http://x' }, 'PLANEAT_URL is now PLANEAT_BASE_URL.'],
  [['--planeat-url', 'http://x'], {}, '--planeat-url is now the environment variable PLANEAT_BASE_URL.'],
  [['--welstory-url', 'http://x'], {}, '--welstory-url is now the environment variable WELSTORY_BASE_URL.'],
  [['--store', 'memory:'], {}, '--store is now the environment variable STORE_URL.'],
  [['--no-such'], {}, 'Unknown option'],
])(
  '%j with %j ends with one clear sentence on standard error and exit code 1',
  async (args, env, sentence) => {
    const { code, output, errors } = await run(args, env);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(sentence);
    expect(errors).not.toContain('    at ');
  },
);

test('the end of standard input ends the command', async () => {
  expect((await run()).code).toBe(0);
});
