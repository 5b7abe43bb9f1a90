import type { ClientCheck } from '../scene/client-check.ts';

/** Twice the minimum that the protocol allows, for clients on busy computers. */
const HEARTBEAT_MS = 2_000;

export const heartbeatChecks: readonly ClientCheck[] = [
  {
    name: 'client.heartbeat.pong',
    requirements: ['client.heartbeat', 'ws.heartbeat.pong', 'ws.message.pong'],
    async run(scene) {
      const connection = await scene.established();
      for (const id of ['first', 'segunda ✓']) {
        connection.send({ type: 'ping', id });
        await scene.expect(
          ['client.heartbeat', 'ws.heartbeat.pong'],
          `the client answers the ping ${id}`,
          () => connection.received('pong').find((message) => message.id === id),
        );
      }
    },
  },
  {
    name: 'client.heartbeat.silent-server',
    requirements: [
      'client.heartbeat',
      'ws.heartbeat.ping',
      'ws.heartbeat.matching',
      'ws.heartbeat.stale',
      'ws.message.ping',
    ],
    options: { heartbeatMs: HEARTBEAT_MS },
    async run(scene) {
      const { server } = scene;
      await scene.established();
      const connection = await scene.expect(
        ['client.heartbeat', 'ws.heartbeat.ping'],
        'the client pings after an interval of silence, and after the next',
        () => server.connections.findLast((each) => each.received('ping').length >= 2),
      );
      const ids = connection.received('ping').map(({ id }) => id);
      scene.judge(
        'ws.heartbeat.ping',
        new Set(ids).size === ids.length,
        'no two pings have the same id',
        `they had ${ids.join(', ')}`,
      );
      server.script.message = (each, message) => {
        if (message.type !== 'ping' || each !== connection) return false;
        each.send({ type: 'pong', id: `not ${message.id}` });
        return true;
      };
      const known = ids.length;
      await scene.seen(['ws.heartbeat.ping'], 'the client pings a third time', () =>
        connection.received('ping').at(known),
      );
      const want = 'the client takes no other pong for its own, and closes the connection';
      const closed = await scene.expect(
        ['client.heartbeat', 'ws.heartbeat.matching', 'ws.heartbeat.stale'],
        want,
        () => connection.closed,
      );
      scene.judge(
        'ws.heartbeat.stale',
        closed.code === 4408,
        'it closes with 4408',
        `it closed with ${closed.code}`,
      );
      await scene.seen(['client.heartbeat'], 'the client connects again', () => scene.subscribed(connection));
    },
  },
];
