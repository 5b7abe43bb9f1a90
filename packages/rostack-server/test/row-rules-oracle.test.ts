import { setTimeout as delay } from 'node:timers/promises';
import { readConfigureGlobal } from 'fast-check';
import { type Change, type JsonObject, parseRowRule } from 'rostack-core';
import { createDatabase, hasPostgres } from 'test-support/postgres';
import { createRandom } from 'test-support/random';
import { describe, expect, test } from 'vitest';
import { historyTexts } from '../src/guard/history-texts.ts';
import { CURSOR_KEYS } from './support/cursor-keys.ts';
import type { GatewayClient } from './support/gateway-client.ts';
import { type BookingPage, type IssuedToken, Tenants } from './support/tenants.ts';

/** Of this run; `TEST_SEED` repeats it. */
const { seed: SEED = 0 } = readConfigureGlobal();
const VIEWERS = 50;
const PHASES = 3;
const IDS = 60;
const TENANTS = ['a', 'b', 'c', 'd', 'e', 'f'];
const RULE = parseRowRule({ '/tenant': { in: { principal: 'claims.tenants' } } }).rule;

interface Booking extends JsonObject {
  readonly id: string;
  readonly tenant: string;
}
type Rights = readonly string[] | undefined;

/** The oracle's own rule, without filters. */
const maySee = (rights: Rights, booking: Booking | undefined): booking is Booking =>
  booking !== undefined && rights !== undefined && rights.includes(booking.tenant);

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** `1.SCOPE~ROWS.EPOCH.POSITION.TAG`: only who has the key can read the position. */
const { positions } = historyTexts(CURSOR_KEYS.events, 'bookings', RULE);
const positionOf = (cursor: string): number => positions?.read(cursor.split('.')[3] ?? '') ?? Number.NaN;

interface SeenList {
  readonly rights: Rights;
  readonly position: number;
  readonly items: readonly object[];
}

interface SeenItem {
  readonly rights: Rights;
  readonly id: string;
  readonly status: number;
  readonly body: unknown;
  readonly between: readonly [number, number];
}

interface Following {
  readonly id: string;
  readonly rights: Rights;
  readonly cursor: string;
  readonly client: GatewayClient;
}

/** One principal whose rights change; everything that it is sent is kept for the oracle. */
class Viewer {
  readonly lists: SeenList[] = [];
  readonly items: SeenItem[] = [];
  readonly followings: Following[] = [];
  readonly #tenants: Tenants;
  readonly #random: () => number;
  readonly #subject: string;
  #token: IssuedToken;
  #rights: Rights = [];
  #client: GatewayClient | undefined;

  constructor(tenants: Tenants, number: number) {
    this.#tenants = tenants;
    this.#random = createRandom(SEED + 1 + number).number;
    this.#subject = `viewer ${number}`;
    this.#token = tenants.issue(this.#subject, {});
    this.#change();
  }

  async run(): Promise<void> {
    for (let phase = 0; phase < PHASES; phase += 1) {
      await this.#follow((await this.#snapshot()).page.event_cursor);
      for (let count = 0; count < 3; count += 1) await this.#look();
      await delay(this.#pick(150));
      if (phase < PHASES - 1) await this.#otherRights();
    }
  }

  close(): void {
    this.#client?.socket.terminate();
  }

  async #otherRights(): Promise<void> {
    const cursor = this.#lastCursor();
    switch (this.#pick(5)) {
      case 0:
        this.#change();
        await this.#ended();
        return;
      case 1:
        this.#change(this.#tenants.issue(this.#subject, {}));
        await this.#authenticateAgain();
        await this.#ended();
        return;
      case 2: {
        await this.#disconnect();
        this.#change();
        const client = await this.#connected();
        client.send({ type: 'subscribe', subscription_id: 'old', resource: 'bookings', cursor });
        demand((await client.next('error')).code === 'cursor_unavailable', 'an old cursor was taken');
        return;
      }
      case 3:
        await this.#disconnect();
        await this.#follow(cursor);
        return;
      default: {
        const first = await this.#page('?limit=2');
        this.#change();
        const { next_cursor: next } = first.page;
        if (next !== null) {
          const response = await this.#tenants.fetch(`bookings?limit=2&cursor=${next}`, this.#token.token);
          const { title } = (await response.json()) as { readonly title: string };
          demand(title === 'Invalid cursor', 'a chain went on with other rights');
        }
        await this.#ended();
      }
    }
  }

  /** Gives the principal other rights, with a token or another one. */
  #change(token = this.#token): void {
    const before = JSON.stringify(this.#rights?.toSorted());
    do {
      const some = TENANTS.filter(() => this.#pick(3) === 0);
      this.#rights = this.#pick(8) === 0 ? undefined : some;
    } while (JSON.stringify(this.#rights?.toSorted()) === before);
    this.#token = this.#tenants.issue(
      this.#subject,
      { ...(this.#rights && { tenants: this.#rights }) },
      token,
    );
  }

  async #ended(): Promise<void> {
    const { client, id } = this.followings.at(-1) ?? {};
    const error = () => client?.errors.find(({ subscription_id }) => subscription_id === id);
    await client?.until(() => error() !== undefined);
    demand(error()?.code === 'cursor_unavailable', `the subscription ended with ${error()?.code}`);
  }

  async #snapshot(): Promise<BookingPage> {
    const limit = 3 + this.#pick(5);
    let page = await this.#page(`?limit=${limit}`);
    const items: object[] = [...page.items];
    while (page.page.next_cursor !== null) {
      page = await this.#page(`?limit=${limit}&cursor=${page.page.next_cursor}`);
      items.push(...page.items);
    }
    this.lists.push({ rights: this.#rights, position: positionOf(page.page.event_cursor), items });
    return page;
  }

  async #page(query: string): Promise<BookingPage> {
    const page = await this.#tenants.list(this.#token.token, query);
    const hidden = page.items.find((item) => !maySee(this.#rights, item as Booking));
    demand(hidden === undefined, `a page shows ${JSON.stringify(hidden)}`);
    return page;
  }

  async #look(): Promise<void> {
    const source = this.#tenants.store.source('bookings');
    const id = `b${String(this.#pick(IDS)).padStart(2, '0')}`;
    const before = (await source.head()).position;
    const response = await this.#tenants.fetch(`bookings/${id}`, this.#token.token);
    const body: unknown = await response.json();
    const after = (await source.head()).position;
    this.items.push({ rights: this.#rights, id, status: response.status, body, between: [before, after] });
  }

  async #follow(cursor: string): Promise<void> {
    const client = await this.#connected();
    const id = `f${this.followings.length}`;
    this.followings.push({ id, rights: this.#rights, cursor, client });
    client.send({ type: 'subscribe', subscription_id: id, resource: 'bookings', cursor });
    await client.until(() =>
      client.received.some(
        (message) =>
          !Array.isArray(message) && message.type === 'replay_complete' && message.subscription_id === id,
      ),
    );
  }

  #lastCursor(): string {
    const { client, id, cursor } = this.followings.at(-1) as Following;
    return client.events.findLast(({ subscription_id }) => subscription_id === id)?.cursor ?? cursor;
  }

  async #authenticateAgain(): Promise<void> {
    const client = await this.#connected();
    const count = () =>
      client.received.filter((each) => !Array.isArray(each) && each.type === 'authenticated').length;
    const before = count();
    client.send({ type: 'authenticate', method: 'shared_token', token: this.#token.token });
    await client.until(() => count() > before);
  }

  async #connected(): Promise<GatewayClient> {
    this.#client ??= await this.#tenants.client(this.#token.token);
    return this.#client;
  }

  async #disconnect(): Promise<void> {
    this.#client?.socket.terminate();
    await this.#client?.closed;
    this.#client = undefined;
  }

  #pick(below: number): number {
    return Math.floor(this.#random() * below);
  }
}

interface Seen {
  readonly type: string;
  readonly id: string;
  readonly data: unknown;
}

/** What really happened, from the log itself. */
class Oracle {
  readonly changes: readonly {
    readonly id: string;
    readonly before: Booking | undefined;
    readonly after: Booking | undefined;
  }[];

  constructor(log: readonly Change[]) {
    const parse = (text: string | undefined) =>
      text === undefined ? undefined : (JSON.parse(text) as Booking);
    this.changes = log.map(({ id, before, after }) => ({ id, before: parse(before), after: parse(after) }));
  }

  stateAt(position: number): Map<string, Booking> {
    const state = new Map<string, Booking>();
    for (const { id, after } of this.changes.slice(0, position)) {
      if (after === undefined) state.delete(id);
      else state.set(id, after);
    }
    return state;
  }

  rowsAt(position: number, rights: Rights): readonly Booking[] {
    const rows = [...this.stateAt(position).values()].filter((row) => maySee(rights, row));
    return rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  eventsAfter(position: number, rights: Rights): readonly Seen[] {
    return this.changes.slice(position).flatMap(({ id, before, after }): Seen[] => {
      const was = maySee(rights, before);
      if (maySee(rights, after))
        return [{ type: was ? 'booking.updated' : 'booking.created', id, data: after }];
      return was ? [{ type: 'booking.deleted', id, data: before }] : [];
    });
  }

  /** Whether an answer was right at one moment while it was given. */
  allows({ rights, id, status, body, between: [first, last] }: SeenItem): boolean {
    for (let position = first; position <= last; position += 1) {
      const row = this.stateAt(position).get(id);
      const deleted = this.changes.slice(0, position).findLast((change) => change.id === id)?.before;
      const isGone = row === undefined && maySee(rights, deleted);
      const expected = maySee(rights, row) ? 200 : isGone ? 410 : 404;
      if (status === expected && (status !== 200 || JSON.stringify(body) === JSON.stringify(row)))
        return true;
    }
    return false;
  }
}

function seenBy({ client, id }: Following): readonly Seen[] {
  return client.events
    .filter(({ subscription_id }) => subscription_id === id)
    .map(({ event_type, resource_id, data }) => ({ type: event_type, id: resource_id, data }));
}

async function write(tenants: Tenants, number: number, isDone: () => boolean): Promise<void> {
  const random = createRandom(SEED + 1_000 + number).number;
  const pick = (below: number) => Math.floor(random() * below);
  while (!isDone()) {
    const changes = Array.from({ length: 1 + pick(3) }, () => `b${String(pick(IDS)).padStart(2, '0')}`);
    await tenants.store.apply(
      changes.map((id) =>
        pick(5) === 0
          ? { op: 'delete', resource: 'bookings', id }
          : {
              op: 'put',
              resource: 'bookings',
              record: { id, tenant: TENANTS[pick(TENANTS.length)] ?? '', seats: pick(100) },
            },
      ),
    );
    await delay(10 + pick(20));
  }
}

describe.each(hasPostgres ? ['SQLite', 'PostgreSQL'] : ['SQLite'])('on %s', (kind) => {
  test(`nobody is sent a row outside their rule, and everybody all inside it (seed ${SEED})`, async () => {
    await using database = kind === 'SQLite' ? undefined : await createDatabase();
    await using tenants = await Tenants.start({ visible: RULE, ...(database && { storeUrl: database.url }) });
    let isDone = false;
    const writers = [0, 1, 2].map((number) => write(tenants, number, () => isDone));
    const viewers = Array.from({ length: VIEWERS }, (_, number) => new Viewer(tenants, number));
    try {
      await Promise.all(viewers.map((viewer) => viewer.run()));
    } finally {
      isDone = true;
      await Promise.all(writers);
    }
    const source = tenants.store.source('bookings');
    const { position: head } = await source.head();
    const log: Change[] = [];
    while (log.length < head) log.push(...(await source.read(log.length, 1_000)));
    const oracle = new Oracle(log);

    for (const { lists, items, followings } of viewers) {
      for (const { rights, position, items: rows } of lists)
        expect(rows).toEqual(oracle.rowsAt(position, rights));
      for (const item of items) expect(oracle.allows(item) || item).toBe(true);
      const last = followings.at(-1);
      for (const following of followings) {
        const expected = oracle.eventsAfter(positionOf(following.cursor), following.rights);
        if (following === last)
          await following.client.until(() => seenBy(following).length >= expected.length);
        const seen = seenBy(following);
        expect(seen).toEqual(following === last ? expected : expected.slice(0, seen.length));
      }
      expect(viewOf(lists.at(-1), followings.slice(-1))).toEqual(
        new Map(oracle.rowsAt(head, last?.rights).map((row) => [row.id, row])),
      );
    }
    const count = (of: (viewer: Viewer) => number) => viewers.reduce((sum, viewer) => sum + of(viewer), 0);
    expect(
      count(({ followings }) => followings.reduce((sum, each) => sum + seenBy(each).length, 0)),
    ).toBeGreaterThan(VIEWERS);
    expect(new Set(viewers.flatMap(({ items }) => items.map(({ status }) => status)))).toEqual(
      new Set([200, 404, 410]),
    );
    for (const viewer of viewers) viewer.close();
    expect(tenants.errors).toEqual([]);
  });
});

/** The last snapshot with all that came after it. */
function viewOf(snapshot: SeenList | undefined, followings: readonly Following[]): Map<string, unknown> {
  const rows = (snapshot?.items ?? []) as readonly Booking[];
  const view = new Map<string, unknown>(rows.map((row) => [row.id, row]));
  for (const { type, id, data } of followings.flatMap(seenBy)) {
    if (type === 'booking.deleted') view.delete(id);
    else view.set(id, data);
  }
  return view;
}
