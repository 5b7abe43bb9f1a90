import type { ClientCheck } from '../scene/client-check.ts';
import { WHOLE_SET } from '../scene/scene.ts';

const APPLIED = ['client.events.applied'];
const SPLIT = ['ws.frames'];
const TWICE = ['ws.duplicates'];

/** An id that shows whether a client encodes ids as RFC 6570 requires. */
const ODD_ID = 'a/b?c=d%20e é😀';

export const followChecks: readonly ClientCheck[] = [
  {
    name: 'client.follow.order',
    requirements: [
      ...APPLIED,
      'ws.subprotocol',
      'ws.auth.first',
      'ws.message.authenticate',
      'ws.message.subscribe',
      'auth.client-places',
      'auth.not-in-logs',
    ],
    async run(scene) {
      const { server } = scene;
      server.script.message = (connection, message) => {
        if (message.type !== 'authenticate') return false;
        // This gives the client time to make the mistake of not waiting.
        setTimeout(() => connection.answer(message), 250);
        return true;
      };
      const connection = await scene.established();
      const [subscribe] = connection.received('subscribe');
      const [authenticate] = connection.received('authenticate');
      scene.judge(
        'ws.auth.first',
        (subscribe?.atMs ?? 0) - (authenticate?.atMs ?? 0) >= 240,
        'the client subscribes after "authenticated" has come',
        'it subscribed before',
      );
      for (let value = 1; value <= 20; value += 1) server.put(`new-${value % 7}`, value);
      server.remove('new-3');
      await scene.expect(APPLIED, WHOLE_SET, () => scene.isConverged());
    },
  },
  {
    name: 'client.follow.older-release',
    requirements: ['release.client'],
    options: { release: '2026-08-12' },
    async run(scene) {
      await scene.established();
      scene.server.put('a', 100);
      scene.server.put('new', 1);
      await scene.expect(['release.client'], WHOLE_SET, () => scene.isConverged());
    },
  },
  {
    name: 'client.follow.split-frames',
    requirements: SPLIT,
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      for (const value of [1, 2]) {
        const event = server.log.put({ id: 'split', value });
        for (const { request } of connection.subscriptions.values()) {
          await connection.sendInPieces(connection.eventText(event, request) ?? '', value === 1 ? 1 : 50);
        }
      }
      await scene.expect(SPLIT, WHOLE_SET, () => scene.isConverged());
    },
  },
  {
    name: 'client.follow.duplicates',
    requirements: TWICE,
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      for (const value of [101, 102, 103]) server.put('a', value);
      await scene.converged(TWICE);
      for (const event of server.log.events.slice(-3)) connection.deliver(event);
      server.replaysAgain = 3;
      connection.cut();
      await scene.seen(TWICE, 'the client connects again', () => scene.subscribed(connection));
      server.put('a', 104);
      await scene.converged(TWICE);
      const told = scene.changes.flatMap(({ eventId }) => eventId ?? []);
      const again = told.find((eventId, index) => told.indexOf(eventId) !== index);
      scene.judge(
        'ws.duplicates',
        again === undefined && isAscending(scene.changes.map(({ records }) => Number(records.a?.value))),
        'an event that comes twice is reported once, and never brings an older state back',
        again === undefined ? 'the record went back to an older state' : `${again} was reported twice`,
      );
    },
  },
  {
    name: 'client.follow.item-url',
    requirements: ['json.item-url'],
    options: { eventsCarryRecords: false },
    async run(scene) {
      const { server } = scene;
      await scene.established();
      server.put(ODD_ID, 1);
      await scene.converged(['json.item-url']);
      const path = `${server.collectionPath}/${encodeURIComponent(ODD_ID)}`;
      scene.judge(
        'json.item-url',
        server.requests.some(({ url }) => url.pathname === path) || server.listRequests.length > 3,
        'the client reads a record at the item URL, with the id percent-encoded',
        'it read no such URL',
      );
    },
  },
];

const isAscending = (values: readonly number[]): boolean =>
  values.every((value, index) => Number.isNaN(value) || !(value < (values[index - 1] ?? value)));
