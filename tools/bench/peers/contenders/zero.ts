import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from 'test-support/free-port';
import { temporaryFolder } from 'test-support/temporary-folder';
import { listen } from '../../support/listen.ts';
import type { ZeroPlan } from '../followers/zero.ts';
import { PEERS_FOLDER, peerModule } from '../published/install-peers.ts';
import { pointsOf, type ZeroModule, type ZeroServerModule } from '../published/zero-points.ts';
import { interruption } from '../support/interruption.ts';
import { killTree } from '../support/process-tree.ts';
import type { Contender } from './contender.ts';

const MAX_START_MS = 120_000;

/** `zero-cache` over a database, with its defaults but for what it has to be told, and the endpoint that tells it what queries are. */
export async function startZero(url: string): Promise<Contender> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const { port: queryPort } = stack.use(await startQueryEndpoint());
  const [port, streamerPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(PEERS_FOLDER, 'node_modules/.bin/zero-cache')], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      ZERO_ADMIN_PASSWORD: 'bench-admin-password',
      ZERO_UPSTREAM_DB: url,
      ZERO_QUERY_URL: `http://127.0.0.1:${queryPort}/query`,
      ZERO_REPLICA_FILE: join(folder.path, 'replica.db'),
      ZERO_PORT: String(port),
      ZERO_CHANGE_STREAMER_PORT: String(streamerPort),
      ZERO_ENABLE_TELEMETRY: 'false',
      ZERO_LOG_LEVEL: 'warn',
      DO_NOT_TRACK: '1',
    },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'exit');
  stack.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) await killTree(child.pid ?? 0);
    await ended;
    // Those that it has started hold its outputs, and are connected to the database, until they have ended.
    await output;
  });
  const untilMs = performance.now() + MAX_START_MS;
  while (!(await isAnswering(port))) {
    if (child.exitCode !== null) throw new Error(`zero-cache has ended: ${(await output).join('\n')}`);
    if (performance.now() > untilMs) throw new Error('zero-cache does not answer');
    await wait(20, undefined, { signal: interruption });
  }
  const plan: ZeroPlan = { url: `http://127.0.0.1:${port}` };
  const held = stack.move();
  return {
    pid: child.pid ?? 0,
    followers: { file: 'zero.ts', plan },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const isAnswering = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    ({ ok }) => ok,
    () => false,
  );

async function startQueryEndpoint(): Promise<{ readonly port: number } & AsyncDisposable> {
  const { schema, queries } = pointsOf(await peerModule<ZeroModule>('@rocicorp/zero'));
  const { handleQueryRequest } = await peerModule<ZeroServerModule>('@rocicorp/zero/server');
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await handleQueryRequest({
        handler: () => queries.points.fn({}),
        schema,
        userID: null,
        query: Object.fromEntries(new URL(request.url ?? '', 'http://localhost').searchParams),
        body: await json(request),
      });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    })();
  });
  const port = await listen(server);
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
