import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOnPort } from 'test-support/own-postgres/start-on-port';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';

/** A start of a server that fails so often, and says why in its log. */
function failing(log: string, times: number, reason: string) {
  const tried: number[] = [];
  const start = async (port: number) => {
    tried.push(port);
    if (tried.length > times) return;
    await appendFile(log, `could not bind: ${reason}\n`);
    throw new Error('exit code 1');
  };
  return { tried, start };
}

test('a port that was taken in the meantime is replaced by another one, out of reach of outgoing connections', async () => {
  await using folder = await temporaryFolder();
  const log = join(folder.path, 'log');
  const { tried, start } = failing(log, 2, 'Address already in use');
  const port = await startOnPort(undefined, log, start);
  expect(tried).toHaveLength(3);
  expect(tried.at(-1)).toBe(port);
  for (const each of tried) expect(each).toBeLessThan(32_768);
});

test.each([
  ['for another reason', undefined, 'No space left on device'],
  ['where its clients know its port', 20_001, 'Address already in use'],
])('a start that fails %s says why', async (_name, port, reason) => {
  await using folder = await temporaryFolder();
  const log = join(folder.path, 'log');
  await appendFile(log, 'what was said at an earlier start: Address already in use\n');
  const { tried, start } = failing(log, 9, reason);
  const failure = await startOnPort(port, log, start).catch((error: unknown) => error);
  expect(String(failure)).toMatch(new RegExp(`did not start on port ${tried[0]}: could not bind: ${reason}`));
  expect(tried).toHaveLength(1);
});
