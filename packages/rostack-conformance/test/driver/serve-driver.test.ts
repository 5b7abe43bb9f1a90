import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { serveDriver } from '../../src/driver/serve-driver.ts';

test('serves each request in its turn, and goes on after a failure', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done: unknown[] = [];
  const served = serveDriver({
    input,
    output,
    samples: { stations: [{ id: 'a' }] },
    handlers: {
      put: ({ record }) => {
        done.push(record);
        return Promise.resolve(undefined);
      },
      issue: () => Promise.resolve({ token: 't' }),
      drain: () => Promise.reject(new Error('not now')),
    },
  });
  for (const [request, op] of ['put', 'issue', 'drain', 'fly'].entries()) {
    input.write(`${JSON.stringify({ request, op, record: { id: 'a' } })}\n`);
  }
  input.end();
  await served;
  output.end();
  expect(
    (await text(output))
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { ready: true, operations: ['put', 'issue', 'drain'], samples: { stations: [{ id: 'a' }] } },
    { request: 0, ok: true },
    { request: 1, ok: true, token: 't' },
    { request: 2, ok: false, error: 'not now' },
    { request: 3, ok: false, error: 'there is no operation fly' },
  ]);
  expect(done).toEqual([{ id: 'a' }]);
});
