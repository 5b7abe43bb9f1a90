import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { SandboxError, startSandbox } from 'menu-sandbox';
import { expect, test } from 'vitest';

const CLI = new URL('../src/cli/cli.ts', import.meta.url).pathname;

function run(...args: string[]) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  return { child, ended, line: async () => (await lines.next()).value as string, errors };
}

test('the command serves both operators, with the faults asked for, until it is told to stop', async () => {
  const { child, ended, line } = run('--port', '0', '--scenario', 'recorded', '--fault', 'server-error:1');
  const welstory = (await line()).split(/\s+/).at(-1);
  const shinsegae = (await line()).split(/\s+/).at(-1);
  expect(await line()).toContain('600 sample restaurants');
  expect((await fetch(`${welstory}/session`)).status).toBe(500);
  expect((await fetch(`${shinsegae}/storTree`)).status).toBe(500);
  const control = `${new URL(shinsegae ?? '').origin}/_sandbox`;
  expect((await fetch(`${control}/faults`, { method: 'PUT', body: '[]' })).status).toBe(204);
  expect((await fetch(`${shinsegae}/storTree`)).status).toBe(200);
  expect(await (await fetch(`${control}/stats`)).json()).toMatchObject({ shinsegae: { requests: 2 } });
  const refused = await fetch(`${control}/faults`, { method: 'PUT', body: '[{"fault":"none"}]' });
  expect(refused.status).toBe(400);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.each([
  [['--fault', 'nonsense'], 'Invalid option'],
  [['--port', 'x'], 'port'],
  [['--scenario', 'x'], 'scenario'],
  [['--unknown'], 'unknown'],
])('%j ends with one clear sentence and exit code 1', async (args, sentence) => {
  const { ended, errors } = run(...args);
  expect(await ended).toBe(1);
  expect(errors.join('')).toContain(sentence);
  expect(errors.join('')).not.toContain('    at ');
});

test('a port in use is one clear sentence and exit code 1', async () => {
  await using sandbox = await startSandbox();
  const { ended, errors } = run('--port', new URL(sandbox.url).port);
  expect(await ended).toBe(1);
  expect(errors.join('')).toMatch(/^Port \d+ is in use; choose another one, or 0 for a free one\.\n$/);
});

test('a taken port and wrong options reject with a code', async () => {
  await using sandbox = await startSandbox();
  await expect(startSandbox({ port: Number(new URL(sandbox.url).port) })).rejects.toMatchObject({
    code: 'port_in_use',
    retryable: true,
  });
  await expect(startSandbox({ latencyMs: -1 })).rejects.toThrow(SandboxError);
  expect(() => sandbox.setFaults([{ fault: 'slow', rate: 2 }])).toThrow(/rate/);
});

test('closing ends requests that are under way', async () => {
  const sandbox = await startSandbox({ faults: [{ fault: 'hang' }] });
  const hanging = fetch(`${sandbox.planeatUrl}/storTree`).then(
    () => 'answered',
    () => 'cut off',
  );
  await expect.poll(() => sandbox.stats().shinsegae.inFlight).toBe(1);
  await sandbox.close();
  expect(await hanging).toBe('cut off');
  await expect.poll(() => sandbox.stats().shinsegae.inFlight).toBe(0);
  await expect(fetch(sandbox.url)).rejects.toThrow('fetch failed');
});
