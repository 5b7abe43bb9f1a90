import { setTimeout as wait } from 'node:timers/promises';
import { createToken } from 'rostack-gateway';
import { type StoreChange, StoreUnavailableError } from 'rostack-store';
import { createRandom, type Random } from 'test-support/random';
import { predicateOf } from '../follows/history.ts';
import { PERMISSIONS, RESOURCES } from '../follows/post.ts';
import { randomParcel } from '../soak/data/parcel.ts';
import { randomFilter } from '../soak/data/random-filter.ts';
import { Follower } from './follower.ts';
import { Histories, show } from './histories.ts';
import { readPages } from './read-pages.ts';
import type { Sites } from './sites.ts';

const FOLLOWERS = 6;
const IDS = 40;
const BATCHES = 3;
const BATCH_CHANGES = 5;
const ROUND_MS = 250;
/** Of all rounds, every one settles after so many. */
const SETTLED_EVERY = 10;
const PROMOTED_EVERY = 40;
const SETTLE_TIMEOUT_MS = 60_000;
const MOVE_EVERY_MS = 500;

export interface RoundsReport {
  readonly rounds: number;
  /** What is wrong, in sentences; empty when the oracle holds. */
  readonly wrong: readonly string[];
  readonly promotions: number;
  /** Promotions that lost changes, by resource. */
  readonly lostHistories: number;
  readonly epochs: number;
  readonly moves: number;
  readonly changes: number;
  readonly events: number;
  readonly snapshots: number;
  readonly chains: number;
}

/** Rounds of writes and of what may happen to sites, after each of which everything that clients were given is judged. */
export class Rounds implements AsyncDisposable {
  readonly #sites: Sites;
  readonly #random: Random;
  readonly #writes: Random;
  readonly #token: string;
  readonly #histories = new Map(RESOURCES.map((name) => [name as string, new Histories(name)]));
  readonly #followers: readonly Follower[];
  readonly #counts = { promotions: 0, epochs: 0, moves: 0, chains: 0 };
  readonly #wrong: string[] = [];
  #turn = 0;
  #rounds = 0;

  private constructor(sites: Sites, seed: number, token: string) {
    this.#sites = sites;
    this.#random = createRandom(seed, 'rounds');
    this.#writes = createRandom(seed, 'writes');
    this.#token = token;
    this.#followers = Array.from({ length: FOLLOWERS }, (_, index) => {
      const random = createRandom(seed, 'follower', index);
      const resource = RESOURCES[index % RESOURCES.length] ?? RESOURCES[0];
      const filter = index < FOLLOWERS / 2 ? undefined : randomFilter(random);
      const name = `follower ${index + 1} of ${resource}`;
      const { baseUrl } = sites;
      const gatewayAt = (localPort: number) => sites.gatewayAt(localPort);
      return new Follower({ name, baseUrl, token, resource, filter, random, gatewayAt });
    });
  }

  static async start(sites: Sites, seed: number): Promise<Rounds> {
    const { token } = await createToken(sites.store.tokens, {
      subject: 'follower',
      grants: Object.keys(PERMISSIONS),
    });
    await sites.catchUp();
    return new Rounds(sites, seed, token);
  }

  /** Runs until so many rounds are over, the deadline has passed, or something is wrong. */
  async run(rounds: number, deadlineMs: number, onRound: (round: number) => void): Promise<RoundsReport> {
    while (this.#rounds < rounds && performance.now() < deadlineMs && this.#wrong.length === 0) {
      this.#rounds += 1;
      await this.#round(this.#rounds % PROMOTED_EVERY === PROMOTED_EVERY - 1 || this.#rounds === 2);
      if (this.#rounds % SETTLED_EVERY === 0 || this.#rounds === rounds) await this.#settle();
      onRound(this.#rounds);
    }
    if (this.#wrong.length === 0) await this.#settle();
    const histories = [...this.#histories.values()];
    const sum = (of: (follower: Follower) => number) =>
      this.#followers.reduce((total, follower) => total + of(follower), 0);
    return {
      rounds: this.#rounds,
      wrong: this.#wrong,
      ...this.#counts,
      lostHistories: histories.reduce((total, { lost }) => total + lost, 0),
      changes: this.#turn,
      events: sum(({ events }) => events),
      snapshots: sum(({ snapshots }) => snapshots),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower[Symbol.asyncDispose]()));
  }

  async #round(promotes: boolean): Promise<void> {
    const random = this.#random;
    const deadlineMs = performance.now() + ROUND_MS + (promotes ? SETTLE_TIMEOUT_MS : 2_000);
    const reading = RESOURCES.map(async (resource) => ({
      resource,
      chain: await readPages(() => this.#running, random, this.#token, resource, deadlineMs),
    }));
    await (promotes ? this.#promote() : Promise.all([this.#write(), this.#disturb(), wait(ROUND_MS)]));
    const chains = await Promise.all(reading);
    await this.#judge();
    for (const { resource, chain } of chains) {
      if (chain === undefined) continue;
      const histories = this.#historiesOf(resource);
      this.#counts.chains += 1;
      const { place, records, refusedAtMs } = chain;
      const fault =
        refusedAtMs === undefined
          ? histories.judgeSet(place, records, predicateOf(undefined))
          : histories.isRefusable(place, refusedAtMs)
            ? undefined
            : `a page cursor of ${show(place)} was refused, which the history has`;
      if (fault !== undefined) this.#wrong.push(`pages of ${resource}: ${fault}`);
    }
  }

  /** One of the small things that happen. */
  async #disturb(): Promise<void> {
    const random = this.#random;
    const site = random.pick(this.#sites.all);
    this.#move(0.3);
    switch (random.int(1, 12)) {
      case 1:
        await site.open(site.role);
        break;
      case 2:
        site.cutService();
        break;
      case 3:
      case 4: {
        const standby = random.pick(this.#sites.standbys);
        standby.cutReplication(true);
        await wait(ROUND_MS);
        standby.cutReplication(false);
        break;
      }
      case 5:
        if (!random.chance(0.3)) break;
        await this.#sites.store.renewEpoch();
        this.#counts.epochs += 1;
        break;
      default:
    }
  }

  /** The primary dies after a standby, which may lack some of the newest changes, has been cut off from it. */
  async #promote(): Promise<void> {
    const random = this.#random;
    const sites = this.#sites;
    const next = random.pick(sites.standbys);
    if (random.chance(0.7)) next.cutReplication(true);
    else await sites.catchUp();
    await this.#write();
    await wait(random.int(0, 2 * ROUND_MS));
    for (const histories of this.#histories.values()) await histories.read(sites.store);
    await sites.promote(next);
    for (const histories of this.#histories.values()) await histories.branch(sites.store);
    this.#move(0.5);
    await Promise.all([this.#write(), sites.rebuildStandbys()]);
    if (random.chance(0.5)) await next.open('primary');
    this.#counts.promotions += 1;
  }

  async #write(): Promise<void> {
    const random = this.#writes;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const changes = random.many(random.int(1, BATCH_CHANGES), () => this.#change(random));
      try {
        await this.#sites.store.apply(changes);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
      await wait(random.int(1, ROUND_MS / BATCHES));
    }
  }

  #change(random: Random): StoreChange {
    const resource = random.pick(RESOURCES);
    const id = `p${random.int(1, IDS)}`;
    this.#turn += 1;
    return random.chance(0.2)
      ? { resource, op: 'delete', id }
      : { resource, op: 'put', record: randomParcel(random, id, this.#turn) };
  }

  /** Ends a share of the clients' connections: the next ones lead to other gateways. */
  #move(share: number): void {
    for (const link of this.#sites.front.links) {
      if (!this.#random.chance(share)) continue;
      this.#counts.moves += 1;
      link.cut();
    }
  }

  async #judge(): Promise<void> {
    for (const histories of this.#histories.values()) await histories.read(this.#sites.store);
    for (const follower of this.#followers) {
      this.#wrong.push(...follower.judge(this.#historiesOf(follower.resource)));
    }
  }

  /** Waits until everybody has everything; who does not is moved on. */
  async #settle(): Promise<void> {
    const deadline = performance.now() + SETTLE_TIMEOUT_MS;
    let movedAtMs = performance.now();
    while (this.#wrong.length === 0) {
      await this.#judge();
      const late = this.#followers.filter(
        (follower) => !follower.isUpToDate(this.#historiesOf(follower.resource)),
      );
      if (late.length === 0) return;
      if (performance.now() > deadline) {
        this.#wrong.push(
          ...late.map(({ name, where }) => `${name} is ${where} after ${SETTLE_TIMEOUT_MS} ms`),
        );
      }
      if (performance.now() - movedAtMs > MOVE_EVERY_MS * 4) {
        movedAtMs = performance.now();
        this.#move(0.5);
      }
      await wait(20);
    }
  }

  get #running() {
    return this.#sites.all.flatMap(({ gateways }) => gateways);
  }

  #historiesOf(resource: string): Histories {
    const histories = this.#histories.get(resource);
    if (histories === undefined) throw new Error(`nobody keeps the history of ${resource}`);
    return histories;
  }
}
