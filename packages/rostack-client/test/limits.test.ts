import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect, readSchemas } from 'rostack-client';
import { parallelSnapshot } from 'rostack-client/snapshot';
import type { AnyDiscoveryDocument, Collection, JsonObject, JsonSchema, Resource } from 'rostack-core';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import type { JsonRecord } from 'test-support/foreign/foreign-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { limitConstants } from 'test-support/limit-constants';
import { afterEach, expect, test, vi } from 'vitest';
import type { IndexedDbStateStore, RevisedState } from '../src/browser/indexeddb-state-store.ts';
import { NoticeChannel } from '../src/browser/state-notice.ts';
import { TabMirror } from '../src/browser/tab-mirror.ts';
import { clientLimits } from '../src/connection/context/client-limits.ts';
import { CredentialSource, CredentialUse } from '../src/connection/credential/credentials.ts';
import { OriginPolicy } from '../src/connection/credential/origin-policy.ts';
import { GatewayConnection, openConnection } from '../src/connection/link/gateway-connection.ts';
import { type ClientClock, createPlatform, SYSTEM_CLOCK } from '../src/connection/platform/platform.ts';
import { DiscoveryCache } from '../src/http/discovery-cache.ts';
import { HttpClient } from '../src/http/http-client.ts';
import { ComingPages } from '../src/list/coming-pages.ts';
import { moveIds, placesIn } from '../src/list/elsewhere.ts';
import type { JsonApi } from '../src/list/json-api.ts';
import { readRecordSchemas } from '../src/list/read-record-schemas.ts';
import { RecordIds } from '../src/list/record-ids.ts';
import { defineObservatory } from './support/observatory.ts';
import { RULES } from './support/session-driver.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Whether a size is within a limit. */
type Accepts = (size: number) => boolean | Promise<boolean>;

const ORIGIN = 'https://data.example.com';
const CREDENTIAL = { method: 'shared_token', token: 't' } as const;
const { signal } = new AbortController();

const isFine = async (action: () => unknown): Promise<boolean> => {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
};

const honest = (websocket: object = {}): AnyDiscoveryDocument => {
  const { discovery } = defineObservatory(ORIGIN);
  const { capabilities } = discovery;
  return {
    ...discovery,
    capabilities: { ...capabilities, websocket: { ...capabilities.websocket, ...websocket } },
  };
};

/** A clock that stands still until it is set. */
function heldClock() {
  const clock = { nowMs: 0 };
  const timers: (() => void)[] = [];
  const read: ClientClock = {
    wallMs: () => clock.nowMs,
    monotonicMs: () => clock.nowMs,
    after: (_delayMs, callback) => {
      timers.push(callback);
      return () => void timers.splice(timers.indexOf(callback), 1);
    },
  };
  return { read, clock, fire: () => timers.splice(0).forEach((callback) => callback()) };
}

/** One that no server answers. */
class SilentSocket extends EventTarget {
  readonly protocol = 'rostack.v1';
  bufferedAmount = 0;
  readonly sent: string[] = [];

  send(message: string): void {
    this.sent.push(message);
  }

  close(): void {}

  say(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
}

/** What makes a socket: always this one. */
function makingOf(socket: SilentSocket): typeof globalThis.WebSocket {
  return function make() {
    return socket;
  } as unknown as typeof globalThis.WebSocket;
}

/** Schemas of which each refers to the next, the last to none. */
const chainOf = (count: number, number: number): JsonSchema =>
  number < count ? { $ref: `${ORIGIN}/schemas/${number + 1}` } : {};

const numberOf = (url: string | URL | Request): number => Number(new Request(url).url.split('/').at(-1));

const resourceOf = (schemaUrl: string): Resource =>
  ({
    representations: [{ media_type: 'application/json', schema_url: schemaUrl }],
    events: [],
  }) as unknown as Resource;

/** By its constant: the largest size that is within the limit, and how to tell. Of a least size, the smallest. */
/** Whether the client finds the id in these records, which are kept by the text of one member. */
async function findsId(idMember: string, records: readonly JsonRecord[]): Promise<boolean> {
  const properties = Object.fromEntries(Object.keys(records[0] ?? {}).map((name) => [name, {}]));
  const schema = { type: 'object', properties };
  const eventNames = { create: 'new', update: 'edit', delete: 'gone' };
  const resources = [{ name: 'things', idMember, schema, eventNames, records }];
  await using server = await ForeignServer.start({ ...ledgerStyle, resources });
  const credential = { method: 'shared_token', token: server.tokens[0] } as const;
  await using client = await connect(server.url, credential, { allowInsecureLoopback: true });
  const found = await client.recordId('things').catch(() => undefined);
  return found === `/${idMember}`;
}

const LIMITS: Readonly<Record<string, readonly [limit: number, accepts: Accepts]>> = {
  'browser/tab-mirror.ts MAX_WAITING': [
    1_024,
    async (count) => {
      const held = { id: 'a', record: { id: 'a' }, version: undefined };
      let looks = 0;
      const name = `limits-${count}`;
      const load = async (key: string): Promise<RevisedState | undefined> => {
        if (key !== 'k') return undefined;
        looks += 1;
        const scope = { implementationId: 'i', apiVersion: '1', resource: 'stations', filter: undefined };
        return {
          scope,
          cursor: 'c',
          eventId: undefined,
          records: [held],
          revision: looks === 1 ? 1 : count + 1,
        };
      };
      const store = { name, load } as unknown as IndexedDbStateStore;
      const mirror = new TabMirror({ store, key: 'k', resource: 'stations', view: undefined });
      const changes = mirror.changes();
      await changes.next();
      const leader = new NoticeChannel(name, 'k');
      const told = { cursor: 'c', eventId: undefined, put: held };
      for (let revision = 2; revision <= count + 1; revision += 1)
        leader.send({ kind: 'stored', revision, update: told });
      // Notices come when this thread has nothing else to do, in one go.
      for (let turn = 0; turn < 50; turn += 1) await nextTurn();
      await changes.next();
      mirror.close();
      leader.close();
      await changes.return();
      return looks === 1;
    },
  ],
  'connection/credential/credentials.ts MAX_REFUSALS': [
    // The third in a row is conclusive.
    2,
    (count) => {
      const use = new CredentialUse({
        platform: createPlatform({}),
        credentials: new CredentialSource(() => CREDENTIAL, signal),
        limits: clientLimits({ maxRefusalMs: 0 }),
      });
      let mayPass = true;
      for (let refusal = 0; refusal < count; refusal += 1) mayPass = use.noteRefused();
      return mayPass;
    },
  ],
  'http/discovery-cache.ts MAX_REFRESH_MS': [
    // At its end a document is old, whatever it says of itself.
    86_399_999,
    async (ageMs) => {
      let reads = 0;
      const { clock, read } = heldClock();
      const document = honest({ discovery_refresh_after_ms: 500_000_000 });
      const platform = createPlatform({
        clock: read,
        fetch: async () => {
          reads += 1;
          return Response.json(document);
        },
      });
      const context = {
        platform,
        limits: clientLimits(),
        policy: new OriginPolicy(new URL(ORIGIN), {}),
        credentials: new CredentialSource(CREDENTIAL, signal),
        life: signal,
      };
      const cache = new DiscoveryCache(context, new HttpClient(context), () => {});
      await cache.get();
      clock.nowMs = ageMs;
      await cache.get();
      return reads === 1;
    },
  ],
  'http/http-client.ts MAX_REFUSALS': [
    // The third refusal of a request is told.
    2,
    async (count) => {
      let asked = 0;
      const platform = createPlatform({
        fetch: async () => {
          asked += 1;
          const problem = { type: 'about:blank', title: 'no', status: 401, detail: 'no', request_id: 'r' };
          return asked > count
            ? Response.json({})
            : Response.json(problem, {
                status: 401,
                headers: { 'content-type': 'application/problem+json' },
              });
        },
      });
      let given = 0;
      const credentials = new CredentialSource(() => {
        given += 1;
        return { ...CREDENTIAL, token: `t${given}` };
      }, signal);
      const http = new HttpClient({ platform, credentials, limits: clientLimits() });
      const request = { url: new URL(ORIGIN), isAuthorized: true, maxBytes: 1_000, signal } as const;
      return isFine(() => http.getJson({ ...request, release: '2026-08-12' }));
    },
  ],
  'connection/link/gateway-connection.ts MAX_BUFFERED_BYTES': [
    1_048_576,
    async (bytes) => {
      let end: unknown;
      const socket = new SilentSocket();
      const { read: clock } = heldClock();
      const platform = createPlatform({ clock, WebSocket: makingOf(socket) });
      const credentials = new CredentialSource(CREDENTIAL, signal);
      const connection = new GatewayConnection({
        number: 1,
        url: new URL('wss://data.example.com'),
        credentials: new CredentialUse({ platform, credentials, limits: clientLimits() }),
        rules: RULES,
        platform,
        owner: {
          onEffect: () => {},
          onClosed: (_connection, error) => {
            end = error;
          },
        },
      });
      socket.bufferedAmount = bytes;
      socket.dispatchEvent(new Event('open'));
      await expect.poll(() => end !== undefined || socket.sent.length === 1).toBe(true);
      connection.leave();
      return end === undefined;
    },
  ],
  'connection/link/gateway-connection.ts MAX_HEARTBEAT_MS': [
    // At its end a silent gateway is pinged, whatever discovery says.
    299_999,
    async (silenceMs) => {
      const { clock, read, fire } = heldClock();
      const socket = new SilentSocket();
      const platform = createPlatform({ clock: read, WebSocket: makingOf(socket) });
      const document = honest({ heartbeat_interval_ms: 900_000 });
      const discovery = { get: async () => ({ document, release: '2026-08-13' }) } as never;
      const context = {
        platform,
        policy: new OriginPolicy(new URL(ORIGIN), {}),
        limits: clientLimits({ maxFrameLength: 10_000, answerTimeoutMs: 1_000 }),
        credentials: new CredentialSource(CREDENTIAL, signal),
      };
      const credentials = new CredentialUse(context);
      const request = { number: 1, gatewayUrl: undefined, credentials, isWanted: () => true };
      const authenticated = Promise.withResolvers<void>();
      const owner = { onEffect: () => authenticated.resolve(), onClosed: () => {} };
      await openConnection(context, discovery, { ...request, onUntrusted: () => {}, owner });
      socket.dispatchEvent(new Event('open'));
      await expect.poll(() => socket.sent.length).toBe(1);
      const { api_version } = document.implementation;
      const names = { method: 'shared_token', protocol_version: 'rostack_v1', api_version };
      socket.say({ type: 'authenticated', ...names, principal_id: 'p' });
      await authenticated.promise;
      clock.nowMs = silenceMs;
      fire();
      return !socket.sent.some((message) => message.includes('"ping"'));
    },
  ],
  'connection/platform/platform.ts MAX_TIMER_MS': [
    2 ** 31 - 1,
    (delayMs) => {
      vi.useFakeTimers();
      let isOver = false;
      SYSTEM_CLOCK.after(delayMs, () => {
        isOver = true;
      });
      vi.advanceTimersByTime(delayMs - 1);
      const wasOver = isOver;
      vi.advanceTimersByTime(1);
      return !wasOver && isOver;
    },
  ],
  'list/coming-pages.ts MAX_BEGINNING_BYTES': [
    8_192,
    async (bytes) => {
      const before = '{"page":{"next_cursor":"';
      const next = 'n'.repeat(bytes - before.length - 1);
      const asked: string[] = [];
      const pages = new ComingPages(
        async (cursor, { onBeginning }) => {
          asked.push(cursor);
          await Promise.resolve();
          if (cursor === 'first') await onBeginning?.(new TextEncoder().encode(`${before}${next}"}`));
          return {} as Collection;
        },
        () => true,
        undefined,
      );
      await pages.take('first');
      return asked.includes(next);
    },
  ],
  'list/read-record-schemas.ts MAX_SCHEMAS': [
    50,
    async (count) => {
      const api = {
        getJson: async (url: string) => ({ value: chainOf(count, numberOf(url)) }),
      } as unknown as JsonApi;
      const schemas = await readRecordSchemas(api, resourceOf(`${ORIGIN}/schemas/1`), signal);
      return schemas.size === count;
    },
  ],
  'list/schema/read-schemas.ts MAX_SCHEMAS': [
    1_000,
    (count) => {
      const discovery = { resources: [resourceOf(`${ORIGIN}/schemas/1`)] } as unknown as AnyDiscoveryDocument;
      const fetching: typeof fetch = async (url) => Response.json(chainOf(count, numberOf(url)));
      return isFine(() => readSchemas(discovery, { fetch: fetching }));
    },
  ],
  'list/schema/read-schemas.ts MAX_SCHEMA_BYTES': [
    10_485_760,
    (bytes) => {
      const discovery = { resources: [resourceOf(`${ORIGIN}/schemas/1`)] } as unknown as AnyDiscoveryDocument;
      const headers = { 'content-type': 'application/schema+json' };
      return isFine(() =>
        readSchemas(discovery, { fetch: async () => new Response('{}'.padEnd(bytes), { headers }) }),
      );
    },
  ],
  'follow/snapshot/snapshot-parts.ts MAX_RANGES': [
    16,
    (ranges) => isFine(() => parallelSnapshot({ ranges })),
  ],
  'list/elsewhere.ts MAX_DEPTH': [
    3,
    async (depth) => {
      let record: JsonObject = { key: 'x' };
      for (let level = 1; level < depth; level += 1) record = { inside: record };
      return placesIn(record).length === 1;
    },
  ],
  'list/elsewhere.ts MAX_MOVES': [
    3,
    async (count) => {
      const ids = new RecordIds();
      try {
        for (let move = 0; move < count; move += 1) moveIds(ids, 'x', { [`member${move}`]: 'x' });
        return true;
      } catch {
        return false;
      }
    },
  ],
  'list/elsewhere.ts MAX_PLACES': [
    64,
    async (count) => {
      const members = Array.from({ length: count }, (_, number) => [`member${number}`, 'x'] as const);
      return placesIn(Object.fromEntries(members)).length === count;
    },
  ],
  'list/find-record-id.ts MAX_ID_LENGTH': [
    1_024,
    (length) => findsId('text', [{ text: 'x'.repeat(length) }]),
  ],
  'list/find-record-id.ts MAX_TRIALS': [
    3,
    (count) => {
      const record = (number: number) => ({
        code: `x${number}`,
        label: number === count ? 'y' : `x${number}`,
      });
      return findsId(
        'code',
        Array.from({ length: count }, (_, index) => record(index + 1)),
      );
    },
  ],
  'list/find-record-id.ts MAX_TRIED_PLACES': [
    16,
    (count) => {
      const record = (row: string) =>
        Object.fromEntries(Array.from({ length: count }, (_, place) => [`m${place + 1}`, `${row}${place}`]));
      return findsId(`m${count}`, [record('a'), record('b')]);
    },
  ],
};

/** Where each of the others is tried, or why it is not. */
const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
  'http/discovery-cache.ts MIN_REFRESH_MS': 'no document says less',
  'list/read-pages.ts MAX_EMPTY_PAGES': 'hostile-pages.test.ts',
  'connection/retry/persist.ts MAX_SERVER_DELAY_MS': 'not: a leading tab would have to wait for five minutes',
  'connection/session/authenticating.ts MAX_LEAD_MS': 'session.test.ts',
  'connection/session/authenticating.ts MIN_RENEWAL_MS': 'session.test.ts',
  'connection/session/subscribing.ts MAX_KNOWN': 'session.test.ts',
};

test('each limit of the sources is in the table', () => {
  const known = [...Object.keys(LIMITS), ...Object.keys(TRIED_ELSEWHERE)].sort();
  expect(limitConstants(resolve(import.meta.dirname, '../src'))).toEqual(known);
});

test.each(Object.entries(LIMITS))(
  '%s is allowed, and nothing beyond it',
  async (constant, [limit, accepts]) => {
    const beyond = constant.includes(' MIN_') ? -1 : 1;
    expect(await accepts(limit)).toBe(true);
    vi.useRealTimers();
    expect(await accepts(limit + beyond)).toBe(false);
  },
);
