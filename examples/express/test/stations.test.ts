import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { connect } from 'rostack-client';

const { PORT = '3000' } = process.env;
const url = `http://localhost:${PORT}`;

for (const [release, options] of Object.entries({ 5: [], 4: ['--import', './test/express-4.ts'] })) {
  test(`Express ${release} answers its routes, and the stations are listed and followed beside it`, async () => {
    const program = spawn(process.execPath, [...options, 'src/main.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(program, 'exit');
    try {
      const [line] = await once(createInterface(program.stdout), 'line');
      const token = /ROSTACK_TOKEN=(\S+)/.exec(line)?.[1] ?? '';
      const credentials = { method: 'shared_token', token } as const;
      await using client = await connect(url, credentials, { allowInsecureLoopback: true });
      await using follow = client.follow<{ id: string; height: number }>('stations');
      const changes = follow[Symbol.asyncIterator]();
      const next = async () => (await changes.next()).value;
      assert.equal((await next())?.kind, 'snapshot');
      assert.equal((await next())?.kind, 'live');

      assert.match(await (await fetch(url)).text(), /stations are at/);
      const headers = { 'content-type': 'application/json' };
      const station = { id: 'seoul', height: 86 };
      const posted = await fetch(`${url}/stations`, {
        method: 'POST',
        headers,
        body: JSON.stringify(station),
      });
      assert.equal(posted.status, 204);
      const created = await next();
      assert(created?.kind === 'created');
      assert.deepEqual(created.record, station);
      assert.deepEqual(await Array.fromAsync(client.list('stations')), [station]);
    } finally {
      program.kill();
    }
    assert.deepEqual(await ended, [0, null]);
  });
}
