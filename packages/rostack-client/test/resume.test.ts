import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SqliteStateStore } from 'rostack-client/node';
import { seededNumbers } from 'test-support/seeded-random';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';
import { trustingEnvironment } from './support/trust.ts';

const FOLLOWER = fileURLToPath(new URL('./support/follower.ts', import.meta.url));

interface Told {
  readonly kind: string;
  readonly id?: string;
  readonly eventId?: string;
  readonly size?: number;
}

/** A process that follows; what it printed is what it has processed. */
class Follower implements AsyncDisposable {
  readonly #child: ChildProcess;
  #text = '';
  #wake = (): void => {};

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, ['--conditions=workspace-source', FOLLOWER, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    this.#child.on('close', () => this.#wake());
  }

  get told(): Told[] {
    return this.#text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Told);
  }

  async until(holds: (told: readonly Told[]) => boolean): Promise<void> {
    while (!holds(this.told)) {
      if (this.#child.exitCode !== null) throw new Error(`the follower ended: ${this.#text}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

test('a follower that is killed goes on from its disk in a new process: nothing is lost, little comes twice', {
  timeout: 120_000,
}, async () => {
  await using folder = await temporaryFolder();
  await using gateway = await TestGateway.start();
  await gateway.put('stations', station(1), station(2));
  const env = await trustingEnvironment(folder.path);
  const args = [gateway.url, gateway.token().token, join(folder.path, 'states.db')];
  const random = seededNumbers();
  const events: string[] = [];
  let number = 100;
  for (let round = 0; round < 6; round += 1) {
    await using follower = new Follower(args, env);
    await follower.until((told) => told.length > 0);
    expect(follower.told[0]).toMatchObject({ kind: round === 0 ? 'initial' : 'restored' });
    // Killed in the middle of the stream, at another place each time.
    for (let batch = 0; batch < 5; batch += 1) {
      await gateway.put('stations', ...Array.from({ length: 20 }, () => station(number++)));
    }
    const wanted = 10 + Math.floor(random() * 80);
    await follower.until((told) => told.filter(({ eventId }) => eventId !== undefined).length >= wanted);
    await follower.kill();
    events.push(...follower.told.flatMap(({ eventId }) => eventId ?? []));
  }
  await using last = new Follower(args, env);
  await last.until((told) => told.some(({ kind }) => kind === 'live'));
  events.push(...last.told.flatMap(({ eventId }) => eventId ?? []));
  await last.kill();

  expect(new Set(events).size).toBe(600);
  // At least once: what was processed but not stored when the process was killed comes again, one change per kill at most.
  expect(events.length).toBeLessThanOrEqual(606);
  await using store = new SqliteStateStore(join(folder.path, 'states.db'));
  const ids = Array.from((await store.load('stations~all'))?.records ?? [], ({ id }) => id);
  expect(ids).toEqual(
    [station(1), station(2), ...Array.from({ length: 600 }, (_, index) => station(100 + index))].map(
      ({ id }) => id,
    ),
  );
});
