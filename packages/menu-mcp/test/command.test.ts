import { expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';

const CLI = new URL('../src/cli.ts', import.meta.url).pathname;
const run = (...args: string[]) => runCommand('--conditions=workspace-source', [CLI, ...args]);

test('--help tells what there is', async () => {
  const { code, output } = await run('--help');
  expect(code).toBe(0);
  for (const word of ['--planeat-url', '--welstory-url', '--store', 'WELSTORY_USERNAME'])
    expect(output).toContain(word);
});

test.each([
  [['--planeat-url', 'ftp://x'], 'Send an http or https URL'],
  [['--store', 'redis://x'], 'A store is memory:'],
  [['--no-such'], 'Unknown option'],
])('%j ends with one clear sentence on standard error and exit code 1', async (args, sentence) => {
  const { code, output, errors } = await run(...args);
  expect([code, output]).toEqual([1, '']);
  expect(errors).toContain(sentence);
  expect(errors).not.toContain('    at ');
});

test('the end of standard input ends the command', async () => {
  expect((await run()).code).toBe(0);
});
