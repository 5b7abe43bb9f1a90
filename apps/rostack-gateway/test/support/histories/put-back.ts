import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import { createToken } from '../../../src/index.ts';
import { createGateway } from '../../../src/serving/gateway/create-gateway.ts';
import { writeSampleConfig } from '../sample-config.ts';
import { ADMIN_TOKEN, Consumer, REFUSED } from './handed-out.ts';
import type { WayBack } from './way-back.ts';

/** Close code of a gateway that stops. */
const GOING_AWAY = 4410;

/** Alarms of a start. */
const STARTING: readonly string[] = ['database_moved', 'wal_damaged'];

/** Gateways of one implementation over one database. */
class Site implements AsyncDisposable {
  readonly #folder: string;
  readonly #url: string;
  readonly #gateways = new Set<Consumer>();
  /** Codes of the alarms that its gateways have logged. */
  alarms: string[] = [];
  #token: string | undefined;

  constructor(folder: string, url: string) {
    this.#folder = folder;
    this.#url = url;
  }

  async start(): Promise<Consumer> {
    const file = await writeSampleConfig(this.#folder, {
      storeUrl: this.#url,
      sections: 'listeners: { data: { port: 0 }, admin: { port: 0, token: { env: ADMIN_TOKEN } } }',
    });
    const config = await loadConfig(file, { environment: { STORE_URL: this.#url, ADMIN_TOKEN } });
    const gateway = await createGateway(config, {
      log: (line) => this.alarms.push(...(/alarm (\w+)/.exec(line)?.slice(1) ?? [])),
    });
    this.#token ??= (
      await createToken(gateway.store.tokens, {
        subject: 'me',
        grants: ['stations:read', 'stations:follow'],
      })
    ).token;
    const ca = await readFile(join(this.#folder, 'data/localhost.crt.pem'), 'utf8');
    const consumer = new Consumer(gateway, this.#token, ca);
    this.#gateways.add(consumer);
    return consumer;
  }

  async stop(): Promise<void> {
    for (const { gateway } of this.#gateways) await gateway.close({ drainTimeoutMs: 0 });
    this.#gateways.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Writes changes in a transaction each. */
async function write({ gateway }: Consumer, ids: readonly string[], series: number): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const record = { id, height: 100 * series + index };
    await untilAvailable(() => gateway.store.apply([{ resource: 'stations', op: 'put', record }]));
  }
}

const positionOf = ({ gateway }: Consumer) =>
  untilAvailable(async () => (await gateway.store.source('stations').head()).position);

/** A server that was away is back in a moment; what was under way is lost. */
async function untilAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 50 || (error as { readonly retryable?: boolean }).retryable !== true) throw error;
      await wait(50);
    }
  }
}

/** Puts a database back under gateways, and presents to each of them what they handed out before. */
export async function putBackAndCompare(way: WayBack): Promise<void> {
  await using folder = await temporaryFolder();
  await using database = await way.create(folder.path);
  await using site = new Site(folder.path, database.url);
  let [one, other] = [await site.start(), await site.start()];
  await write(one, ['a', 'b', 'c'], 1);
  const common = await one.takeAll();
  await database.remember();

  await write(one, ['a', 'b', 'd', 'a'], 2);
  const lost = await one.takeAll();
  await other.takeAll();
  const followers = [await one.follow(), await other.follow(lost.eventCursor)];
  if (!database.isLive) await site.stop();
  site.alarms = [];
  await database.goBack();
  if (!database.isLive) [one, other] = [await site.start(), await site.start()];
  expect(await positionOf(one)).toBe(3);

  await write(other, ['a', 'b', 'd', 'a'], 3);
  expect(await positionOf(one)).toBe(7);
  const fresh = await site.start();
  expect(site.alarms.filter((code) => STARTING.includes(code))).toEqual(way.told);
  // A gateway that runs on ends all its followers when it notices, those at a common position too: they come back at once.
  const ends = await Promise.all(followers.map((follower) => follower.ended()));
  expect(ends).toEqual(ends.map(() => (database.isLive ? 'cursor_unavailable' : GOING_AWAY)));
  // Gateways that run on look at the heads now and then.
  expect(site.alarms.includes('changes_lost') || database.isLive).toBe(true);
  const consumers = [one, other, fresh];
  for (const consumer of consumers) expect(await consumer.present(lost)).toEqual(REFUSED);
  await write(fresh, ['e', 'f'], 3);
  const since = ['a', 'b', 'd', 'a', 'e', 'f'];
  for (const consumer of consumers) {
    expect(await consumer.present(lost)).toEqual(REFUSED);
    const following = await consumer.follow(common.eventCursor);
    expect(await following.events(since.length)).toEqual(since);
  }
  expect(site.alarms).toContain('foreign_cursor');
}
