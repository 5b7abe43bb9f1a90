import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from 'test-support/free-port';
import { isListening } from 'test-support/is-listening';
import { temporaryFolder } from 'test-support/temporary-folder';
import type { JetStreamPlan } from '../followers/jetstream.ts';
import { peerModule } from '../published/install-peers.ts';
import type { Bucket, KvModule, NatsModule } from '../published/nats-modules.ts';
import { interruption } from '../support/interruption.ts';
import type { Contender } from './contender.ts';

const MAX_START_MS = 20_000;
const BUCKET = 'points';
/** Debian keeps it where only root's PATH looks. */
const PATH = `${process.env['PATH']}:/usr/sbin`;

/** `nats-server` with JetStream in files and WebSocket, and a bucket with its defaults. */
export interface JetStreamContender extends Contender {
  readonly bucket: Bucket;
}

/** The version of the server that is installed; undefined if none is. */
export async function natsVersion(): Promise<string | undefined> {
  const child = spawn('nats-server', ['--version'], { env: { PATH }, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [[version]] = (await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])) as [
      [Buffer],
      unknown,
    ];
    return version.toString().trim();
  } catch {
    return undefined;
  }
}

export async function startJetStream(): Promise<JetStreamContender> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const [port, webSocketPort] = [await freePort(), await freePort()];
  const file = join(folder.path, 'nats.conf');
  await writeFile(
    file,
    `listen: "127.0.0.1:${port}"
jetstream { store_dir: ${JSON.stringify(join(folder.path, 'data'))} }
websocket { listen: "127.0.0.1:${webSocketPort}", no_tls: true }
`,
  );
  const child = spawn('nats-server', ['-c', file, '-l', join(folder.path, 'log')], {
    env: { PATH },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const untilMs = performance.now() + MAX_START_MS;
  while (!(await isListening(webSocketPort))) {
    if (child.exitCode !== null || performance.now() > untilMs)
      throw new Error('nats-server does not answer');
    await wait(20, undefined, { signal: interruption });
  }
  const url = `ws://127.0.0.1:${webSocketPort}`;
  const { wsconnect } = await peerModule<NatsModule>('@nats-io/nats-core');
  const { Kvm } = await peerModule<KvModule>('@nats-io/kv');
  const connection = await wsconnect({ servers: url });
  stack.defer(() => connection.close());
  const bucket = await new Kvm(connection).create(BUCKET);
  const plan: JetStreamPlan = { url, bucket: BUCKET };
  const held = stack.move();
  return {
    pid: child.pid ?? 0,
    bucket,
    followers: { file: 'jetstream.ts', plan },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
