import type { ReceivedSubscribe } from 'rostack-core';
import type { ClientCheck } from '../scene/client-check.ts';
import type { Scene } from '../scene/scene.ts';
import type { ScriptedConnection } from '../scene/scripted-connection.ts';

/** A value that occurs only in messages that a client must not accept. */
const WRONG_VALUE = 666;

/** Sends something after which the client has to close the connection. Checks that it does, shows nothing of it, and continues. */
async function refused(
  scene: Scene,
  id: string,
  what: string,
  send: (connection: ScriptedConnection, request: ReceivedSubscribe) => void,
): Promise<void> {
  const { server } = scene;
  const connection = await scene.established();
  server.put('a', 50);
  await scene.converged([id]);
  for (const { request } of connection.subscriptions.values()) send(connection, request);
  await scene.seen([id], `the client leaves the connection after ${what}`, () => connection.closed);
  await scene.seen([id], 'the client connects again and goes on', () => scene.subscribed(connection));
  server.put('a', 51);
  await scene.converged([id]);
  const wasTaken = scene.changes.some(({ records }) =>
    Object.values(records).some(({ value }) => value === WRONG_VALUE),
  );
  scene.judge(id, !wasTaken, `nothing of ${what} is shown`, 'it was shown');
}

/** Adds a member, or an array position, that no event has. */
const withMore = (text: string): string =>
  text.startsWith('[') ? `${text.slice(0, -1)},"red"]` : `${text.slice(0, -1)},"colour":"red"}`;

/** An event of a record that does not exist, in the encoding of the subscription. */
function wrongEvent(
  scene: Scene,
  connection: ScriptedConnection,
  request: ReceivedSubscribe,
  members: object = {},
): string {
  const event = {
    position: scene.server.log.head + 1,
    eventId: 'wrong',
    resourceId: 'wrong',
    before: undefined,
    after: { id: 'wrong', value: WRONG_VALUE },
  };
  return connection.eventText(event, request, () => true, members) ?? '';
}

/** Ends the subscription with an error that is not retryable: the client has to report it and must not try again. */
async function givenUp(scene: Scene, id: string, code: string): Promise<void> {
  const { server } = scene;
  const connection = await scene.established();
  const [subscriptionId = ''] = connection.subscriptions.keys();
  const subscribes = (): number => server.connections.flatMap((each) => each.received('subscribe')).length;
  const before = subscribes();
  // In 2026-08-12 the member may be missing, which means the same.
  connection.refuse(subscriptionId, code, server.release === '2026-08-12' ? { retryable: undefined } : {});
  await scene.seen(
    [id],
    'the client reports the error, which is not retryable',
    () => scene.adapter.errors[0],
  );
  await scene.quiet(1_500, () => subscribes() > before);
  const want = 'a client does not subscribe again after an error that is not retryable';
  scene.judge(id, subscribes() === before, want, 'it subscribed again');
}

const UNKNOWN_TYPE = ['client.events.unknown-type'];
const FINAL = ['client.errors.final'];

export const messageChecks: readonly ClientCheck[] = [
  {
    name: 'client.messages.unknown-member',
    requirements: ['ws.closed'],
    run: (scene) =>
      refused(scene, 'ws.closed', 'an event with an unknown member', (connection, request) =>
        connection.sendText(withMore(wrongEvent(scene, connection, request))),
      ),
  },
  {
    name: 'client.messages.not-json',
    requirements: ['ws.frames'],
    run: (scene) =>
      refused(scene, 'ws.frames', 'a frame that is not JSON', (connection) =>
        connection.sendText('{"type":'),
      ),
  },
  {
    name: 'client.messages.of-a-client',
    requirements: ['ws.messages.eleven'],
    run: (scene) =>
      refused(scene, 'ws.messages.eleven', 'a message that only a server receives', (connection, request) =>
        connection.sendText(JSON.stringify(request)),
      ),
  },
  {
    name: 'client.messages.unknown-event-type',
    requirements: UNKNOWN_TYPE,
    async run(scene) {
      const { server } = scene;
      const asked = (): number => server.discoveryRequests.length;
      const connection = await scene.established();
      const before = asked();
      for (const { request } of connection.subscriptions.values()) {
        connection.sendText(wrongEvent(scene, connection, request, { event_type: 'thing.painted' }));
      }
      const want = 'the client reads discovery again after an event of a type that it does not name';
      await scene.expect(UNKNOWN_TYPE, want, () => (asked() > before ? true : undefined));
      // It may close the connection to do that, or keep it.
      await scene.quiet(500, () => connection.closed !== undefined);
      const isLeft = connection.closed !== undefined;
      await scene.seen(UNKNOWN_TYPE, 'the client goes on', () =>
        scene.subscribed(isLeft ? connection : undefined),
      );
      server.put('a', 51);
      await scene.converged(UNKNOWN_TYPE);
    },
  },
  ...(['permission_denied', 'resource_not_found'] as const).map(
    (code): ClientCheck => ({
      name: `client.errors.${code}`,
      requirements: FINAL,
      run: (scene) => givenUp(scene, 'client.errors.final', code),
    }),
  ),
  {
    name: 'client.errors.unknown-code',
    requirements: ['release.websocket-errors.closed'],
    run: (scene) =>
      refused(
        scene,
        'release.websocket-errors.closed',
        'an error with a code that is none',
        (connection, request) => connection.refuse(request.subscription_id, 'quota_exceeded'),
      ),
  },
  {
    name: 'client.errors.open',
    requirements: ['release.websocket-errors.open'],
    options: { release: '2026-08-12' },
    run: (scene) => givenUp(scene, 'release.websocket-errors.open', 'quota_exceeded'),
  },
  {
    name: 'client.problems.open',
    requirements: ['release.problems.open'],
    options: { release: '2026-08-12' },
    async run(scene) {
      const { server } = scene;
      const ids = ['release.problems.open'];
      server.script.http = ({ url }) =>
        url.pathname === server.collectionPath
          ? {
              status: 422,
              body: { type: 'https://example.com/closed-today', title: 'Closed', hours: [9, 17] },
            }
          : undefined;
      scene.start();
      await scene.expect(
        ids,
        'the client reports a problem whose type it does not know',
        () => scene.adapter.errors[0],
      );
    },
  },
];
