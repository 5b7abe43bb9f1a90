import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Follow } from 'rostack-client';
import { createSharedToken } from 'rostack-server';
import { freePort } from 'test-support/free-port';
import { seededNumbers } from 'test-support/seeded-random';
import { temporaryFolder } from 'test-support/temporary-folder';
import { testRuns } from 'test-support/test-runs';
import { expect, test } from 'vitest';
import type { Station } from './support/observatory.ts';
import { certificate } from './support/trust.ts';
import type { WritingGatewayOptions } from './support/writing-gateway.ts';

const GATEWAY = fileURLToPath(new URL('./support/writing-gateway.ts', import.meta.url));
const KILLS = testRuns(2);

class GatewayProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  #text = '';
  #wake = (): void => {};

  constructor(options: WritingGatewayOptions) {
    this.#child = spawn(
      process.execPath,
      ['--conditions=workspace-source', GATEWAY, JSON.stringify(options)],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    this.#child.on('close', () => this.#wake());
  }

  /** Numbers of the batches that were written. */
  get batches(): number[] {
    return this.#text.split('\n').slice(1, -1).map(Number);
  }

  untilWritten(batches: number): Promise<void> {
    return this.#until(() => this.batches.length >= batches);
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#child.exitCode !== null) throw new Error('the gateway ended');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** No further batch; the gateway keeps serving. */
  async stopWriting(): Promise<void> {
    this.#child.stdin?.write('stop');
    await this.#until(() => this.#text.endsWith('stopped\n'));
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

/** Takes changes, checks that no event comes twice, and keeps the set as a consumer would. */
class Consumer {
  readonly set = new Map<string, Station>();
  readonly events = new Set<string>();
  readonly finished: Promise<void>;
  snapshots = 0;

  constructor(follow: Follow<Station>) {
    this.finished = follow.run((change) => {
      if (change.kind === 'live') return;
      if (change.kind === 'snapshot') {
        this.snapshots += 1;
        this.set.clear();
        for (const [id, record] of change.records) this.set.set(id, record);
        return;
      }
      if (this.events.has(change.event.eventId)) throw new Error(`${change.event.eventId} came twice`);
      this.events.add(change.event.eventId);
      if (change.kind === 'created' || change.kind === 'updated') this.set.set(change.id, change.record);
      else this.set.delete(change.id);
    });
  }
}

test(`follows of a gateway that is killed ${KILLS} times in the middle of its writes end with the database's records`, {
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  await using folder = await temporaryFolder();
  const { key, cert } = await certificate;
  const { token, tokenId, verifier } = createSharedToken();
  const options: WritingGatewayOptions = {
    port: await freePort(),
    storeUrl: `sqlite:${join(folder.path, 'records.db')}`,
    keyFile: join(folder.path, 'key.pem'),
    certificateFile: join(folder.path, 'cert.pem'),
    tokenId,
    verifier: Buffer.from(verifier).toString('hex'),
    first: 0,
  };
  await writeFile(options.keyFile, key);
  await writeFile(options.certificateFile, cert);

  const random = seededNumbers();
  let gateway = new GatewayProcess(options);
  await gateway.untilWritten(1);
  await using client = await connect(`https://localhost:${options.port}`, { method: 'shared_token', token });
  const filters = [undefined, { '/altitude': { gte: 250 } }, { '/region': { in: ['seoul', '제주'] } }];
  const follows = filters.map((filter) =>
    client.follow<Station>('stations', filter === undefined ? {} : { filter }),
  );
  const consumers = follows.map((follow) => new Consumer(follow));
  let first = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await gateway.untilWritten(20 + Math.floor(random() * 40));
    await gateway.kill();
    first += gateway.batches.length;
    gateway = new GatewayProcess({ ...options, first });
  }
  await gateway.untilWritten(20);
  await using _ = gateway;

  await gateway.stopWriting();
  for (const [index, filter] of filters.entries()) {
    const listed: [string, Station][] = [];
    const list = client.list<Station>('stations', filter === undefined ? {} : { filter });
    for await (const record of list) listed.push([record.id, record]);
    await expect.poll(() => consumers[index]?.set, { timeout: 30_000 }).toEqual(new Map(listed));
    expect(consumers[index]?.snapshots).toBe(1);
    expect(listed.length).toBeGreaterThan(5);
  }
  for (const follow of follows) void follow.close();
  await Promise.all(consumers.map(({ finished }) => finished));
});
