import { createProblem } from 'rostack-core';
import { OTHER_HOST } from '../scene/certificate.ts';
import type { ClientCheck } from '../scene/client-check.ts';
import type { Scene } from '../scene/scene.ts';
import { RECONNECT_MAX_MS, RECONNECT_MIN_MS } from '../scene/scripted-implementation.ts';

/** How early a timer may fire. */
const EARLY_MS = 15;
/** How long a client may take for everything besides waiting. */
const LATE_MS = 5_000;
/** Longer than any wait that a client chooses itself. */
const SERVER_DELAY_MS = RECONNECT_MAX_MS + 700;
/** For checks of waits: much longer than the delays of a busy computer. */
const WAITS = { reconnectMaxMs: 3_000 };
/** Waits above this count as long; once waits may reach the maximum, half of them are. */
const LONG_MS = 1_500;
/** After this many losses, any client whose waits grow has had two long ones. */
const MAX_LOSSES = 40;
/** A client that does not wait may be late once, on a busy computer, but not each time. */
const GO_AWAYS = 3;

const SERVER_DELAY = ['client.reconnect.server-delay'];
const SAME = ['client.reconnect.same'];
const GO_AWAY = ['client.reconnect.go-away'];

/** Loses one connection after the other, until the waits show that they grow. */
async function lose(scene: Scene, id: string, lose: () => Promise<number>): Promise<readonly number[]> {
  const { server } = scene;
  const waitsMs: number[] = [];
  while (waitsMs.length < MAX_LOSSES) {
    const lostAtMs = await lose();
    const nextAtMs = await scene.seen([id], 'the client connects again', () =>
      server.upgradesAtMs.find((atMs) => atMs > lostAtMs),
    );
    waitsMs.push(nextAtMs - lostAtMs);
    if (haveGrown(waitsMs)) break;
  }
  return waitsMs;
}

/** Two long waits after the first two: a single one may be due to a busy computer. */
const haveGrown = (waitsMs: readonly number[]): boolean =>
  waitsMs.slice(2).filter((waitMs) => waitMs > LONG_MS).length >= 2;

function judgeWaits(scene: Scene, id: string, waitsMs: readonly number[]): void {
  const shown = waitsMs.map((waitMs) => Math.round(waitMs)).join(', ');
  const isEarly = waitsMs.some((waitMs) => waitMs < RECONNECT_MIN_MS - EARLY_MS);
  scene.judge(
    id,
    !isEarly && haveGrown(waitsMs),
    `waits begin at ${RECONNECT_MIN_MS} ms, and grow with each loss, drawn from the whole range`,
    `it waited ${shown} ms`,
  );
}

export const reconnectChecks: readonly ClientCheck[] = [
  {
    name: 'client.reconnect.refused',
    requirements: ['client.reconnect.backoff', 'client.discovery.failures'],
    options: WAITS,
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      const asked = server.discoveryRequests.length;
      server.script.upgrade = () => false;
      connection.cut();
      let lostAtMs = performance.now();
      const waitsMs = await lose(scene, 'client.reconnect.backoff', async () => {
        lostAtMs = server.upgradesAtMs.findLast((atMs) => atMs > connection.upgrade.atMs) ?? lostAtMs;
        return lostAtMs;
      });
      judgeWaits(scene, 'client.reconnect.backoff', waitsMs);
      const longest = Math.max(...waitsMs);
      scene.judge(
        'client.reconnect.backoff',
        longest <= WAITS.reconnectMaxMs + LATE_MS,
        `no wait is longer than ${WAITS.reconnectMaxMs} ms`,
        `it waited ${Math.round(longest)} ms`,
      );
      await scene.expect(
        ['client.discovery.failures'],
        'the client reads discovery again after repeated failures',
        () => (server.discoveryRequests.length > asked ? true : undefined),
      );
      server.script.upgrade = undefined;
      await scene.seen(['client.reconnect.backoff'], 'the client follows again', () =>
        scene.subscribed(connection),
      );
      server.put('a', 77);
      await scene.converged(['client.reconnect.backoff']);
    },
  },
  {
    name: 'client.reconnect.not-healthy-yet',
    requirements: ['client.reconnect.reset'],
    options: WAITS,
    async run(scene) {
      const id = 'client.reconnect.reset';
      const { server } = scene;
      let connection = await scene.established();
      const waitsMs = await lose(scene, id, async () => {
        const next = connection.closed === undefined ? connection : undefined;
        connection =
          next ?? (await scene.seen([id], 'the client subscribes again', () => scene.subscribed(connection)));
        connection.cut();
        return performance.now();
      });
      judgeWaits(scene, id, waitsMs);
      await scene.seen([id], 'the client follows again', () => scene.subscribed(connection));
      server.put('a', 77);
      await scene.converged([id]);
    },
  },
  {
    name: 'client.reconnect.delay-of-go-away',
    requirements: SERVER_DELAY,
    async run(scene) {
      let connection = await scene.established();
      const waitsMs: number[] = [];
      while (waitsMs.length < GO_AWAYS) {
        const left = connection;
        const atMs = performance.now();
        left.send({
          type: 'go_away',
          reason: 'drain',
          reconnect_after_ms: SERVER_DELAY_MS,
          drain_timeout_ms: SERVER_DELAY_MS + 3_000,
        });
        connection = await scene.seen(SERVER_DELAY, 'the client connects and subscribes again', () =>
          scene.subscribed(left),
        );
        waitsMs.push(connection.upgrade.atMs - atMs);
      }
      judgeDelay(scene, Math.min(...waitsMs));
    },
  },
  {
    name: 'client.reconnect.delay-of-an-error',
    requirements: SERVER_DELAY,
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      const [id = ''] = connection.subscriptions.keys();
      const atMs = performance.now();
      connection.refuse(id, 'service_unavailable', { retryable: true, retry_after_ms: SERVER_DELAY_MS });
      const next = await scene.seen(SERVER_DELAY, 'the client subscribes again', () =>
        server.connections
          .flatMap((each) => each.received('subscribe'))
          .find((message) => message.atMs > atMs),
      );
      judgeDelay(scene, next.atMs - atMs);
      server.put('a', 77);
      await scene.converged(SERVER_DELAY);
    },
  },
  ...(['rate-limited', 'service-unavailable'] as const).map(
    (slug): ClientCheck => ({
      name: `client.reconnect.delay-of-${slug}`,
      requirements: SERVER_DELAY,
      async run(scene) {
        const { server } = scene;
        let refusedAtMs: number | undefined;
        server.script.http = ({ url, atMs }) => {
          // Refuses the second page: after that the client may continue the chain or start over.
          if (refusedAtMs !== undefined || !url.searchParams.has('cursor')) return undefined;
          refusedAtMs = atMs;
          const body = createProblem(slug, { retry_after_ms: SERVER_DELAY_MS });
          return { status: body.status, headers: { 'retry-after': '2' }, body };
        };
        await scene.established();
        const next = server.listRequests.find(({ atMs }) => atMs > (refusedAtMs ?? 0));
        judgeDelay(scene, (next?.atMs ?? 0) - (refusedAtMs ?? 0));
      },
    }),
  ),
  {
    name: 'client.reconnect.same',
    requirements: SAME,
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      server.put('a', 1);
      server.remove('b');
      await scene.converged(SAME);
      connection.cut();
      server.put('c', 1);
      const next = await scene.seen(SAME, 'the client authenticates and subscribes again', () =>
        scene.subscribed(connection),
      );
      const [{ atMs: _, cursor: __, ...before } = { atMs: 0 }] = connection.received('subscribe');
      const [{ atMs: ___, cursor, ...after } = { atMs: 0, cursor: undefined }] = next.received('subscribe');
      scene.judge(
        'client.reconnect.same',
        JSON.stringify(before) === JSON.stringify(after),
        `the client subscribes with the same id, definition and encoding: ${JSON.stringify(before)}`,
        `it sent ${JSON.stringify(after)}`,
      );
      const position = cursor === undefined ? undefined : server.log.placeOf(cursor)?.position;
      const last = server.log.head - 1;
      scene.judge(
        'client.reconnect.same',
        position === last,
        `the client goes on from the last cursor, of position ${last}`,
        `it went on from position ${position}`,
      );
      await scene.converged(SAME);
    },
  },
  {
    name: 'client.reconnect.go-away',
    requirements: [...GO_AWAY, 'client.discovery.go-away'],
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      const asked = server.discoveryRequests.length;
      const path = '/gateway-of-tomorrow';
      server.script.message = (each, message) => {
        // Changes between the two subscriptions are sent on the old connection only.
        if (each !== connection && message.type === 'subscribe') {
          server.put('b', 88);
          server.put('c', 88);
        }
        return false;
      };
      connection.send({
        type: 'go_away',
        reason: 'drain',
        reconnect_after_ms: 200,
        drain_timeout_ms: 20_000,
        gateway_url: new URL(path, server.document.endpoints.websocket).href,
      });
      server.put('a', 88);
      const next = await scene.seen(
        GO_AWAY,
        'the client connects where it is told and subscribes there',
        () => {
          const found = scene.subscribed(connection);
          return found?.upgrade.path === path ? found : undefined;
        },
      );
      await scene.seen(GO_AWAY, 'the client leaves the old connection', () => connection.closed);
      const subscribedAtMs = next.received('subscribe')[0]?.atMs ?? 0;
      scene.judge(
        'client.reconnect.go-away',
        (connection.closed?.atMs ?? 0) >= subscribedAtMs,
        'the old connection is left when the next one is ready',
        'it was left before',
      );
      server.put('d', 89);
      await scene.converged(GO_AWAY);
      await scene.expect(['client.discovery.go-away'], 'the client reads discovery again', () =>
        server.discoveryRequests.length > asked ? true : undefined,
      );
    },
  },
  {
    name: 'client.reconnect.go-away-to-another-host',
    requirements: ['auth.client-origin'],
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      const elsewhere = new URL(server.document.endpoints.websocket);
      elsewhere.hostname = OTHER_HOST;
      connection.send({
        type: 'go_away',
        reason: 'drain',
        reconnect_after_ms: 100,
        drain_timeout_ms: 1_000,
        gateway_url: elsewhere.href,
      });
      setTimeout(() => connection.close(4410), 1_000);
      await scene.seen(
        ['auth.client-origin'],
        'the client follows again',
        () => scene.subscribed(connection),
        20_000,
      );
      server.put('a', 99);
      const told = server.connections.filter(
        ({ upgrade, heard }) =>
          upgrade.host.startsWith(OTHER_HOST) && heard.some(({ text }) => text.includes(server.token)),
      );
      scene.judge(
        'auth.client-origin',
        told.length === 0,
        'the client sends its credential to the host of the discovery document alone',
        `it authenticated at a gateway on ${OTHER_HOST}`,
      );
    },
  },
];

function judgeDelay(scene: Scene, waitMs: number): void {
  scene.judge(
    'client.reconnect.server-delay',
    waitMs >= SERVER_DELAY_MS - EARLY_MS,
    `the client waits for the ${SERVER_DELAY_MS} ms that the server asks for`,
    `it waited ${Math.round(waitMs)} ms`,
  );
}
