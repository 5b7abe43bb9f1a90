import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { connect } from 'rostack-client';
import { createSharedToken } from 'rostack-server';

const { PORT = '3000' } = process.env;
const { token } = createSharedToken();

test('a real Next lists the stations over HTTP, and says that they cannot be followed', async () => {
  const next = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'dev', '-p', PORT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ROSTACK_TOKEN: token,
      ROSTACK_SECRET: 'a secret of at least 32 bytes, always the same',
      BASE_URL: `https://localhost:${PORT}`,
    },
  });
  const ended = once(next, 'exit');
  try {
    for await (const line of createInterface(next.stdout)) if (line.includes('Ready')) break;
    // Next compiles the route when it is asked for the first time.
    await fetch(`http://localhost:${PORT}/.well-known/rostack`);
    await using client = await connect(
      `http://localhost:${PORT}`,
      { method: 'shared_token', token },
      { allowInsecureLoopback: true },
    );
    const stations = await Array.fromAsync(client.list('stations', { sort: ['-/height'] }));
    assert.deepEqual(stations, [
      { id: 'seoul', height: 86 },
      { id: 'jeju', height: 20 },
    ]);
    await assert.rejects(
      client.follow('stations').run(() => {}),
      /stations has no events: list it/,
    );
  } finally {
    next.kill('SIGINT');
  }
  await ended;
});
