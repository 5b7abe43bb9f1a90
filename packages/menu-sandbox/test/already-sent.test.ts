import { getRequestListener } from '@hono/node-server';
import { expect, test, vi } from 'vitest';

test('an answer that the sandbox writes itself is not answered again, though another server was made before', async () => {
  // From here on `Response` is that of the server; the sandbox is loaded after it.
  getRequestListener(() => new Response());
  const { startSandbox } = await import('menu-sandbox');
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  {
    await using sandbox = await startSandbox({ faults: [{ fault: 'photo-untyped' }] });
    const answer = await fetch(`${sandbox.welstoryUrl}/data/manager/recipe/a.png`);
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
  }
  expect(printed.mock.calls).toEqual([]);
});
