import type { ClientCheck } from '../scene/client-check.ts';
import type { Scene } from '../scene/scene.ts';

const PROCESSED = ['client.state.after-processing'];
const DEFINITION = ['client.state.definition'];

/** Restarts the client with another definition: it must not continue from what it stored. */
async function startsAnew(
  scene: Scene,
  change: () => { filter?: { '/value': { gte: number } } },
): Promise<void> {
  const { server } = scene;
  await scene.established();
  server.put('a', 50);
  await scene.converged(DEFINITION);
  await scene.adapter.kill();
  const earlier = server.connections.length;
  const { filter } = change();
  const scope = server.scopeOf(filter);
  scene.start(filter === undefined ? {} : { filter });
  const connection = await scene.seen(DEFINITION, 'the client follows again', () =>
    server.connections
      .slice(earlier)
      .find(({ heard }) => heard.some(({ message }) => message?.type === 'subscribe')),
  );
  const cursor = connection.received('subscribe')[0]?.cursor;
  scene.judge(
    'client.state.definition',
    cursor === undefined || server.log.placeOf(cursor)?.scope === scope,
    'the client subscribes from a list that it has read under the new definition',
    'it went on from a cursor that belongs to another definition',
  );
  server.put('b', 60);
  await scene.converged(
    DEFINITION,
    ({ value }) => filter === undefined || Number(value) >= filter['/value'].gte,
  );
}

export const stateChecks: readonly ClientCheck[] = [
  {
    name: 'client.state.killed-before-processing',
    requirements: PROCESSED,
    async run(scene) {
      const { server } = scene;
      await scene.established();
      server.put('a', 1);
      await scene.converged(PROCESSED);
      const held = scene.adapter;
      held.hold();
      server.put('a', 2);
      server.put('b', 2);
      await scene.seen(PROCESSED, 'the client tells the event', () =>
        held.records?.a?.value === 2 ? true : undefined,
      );
      // A client that stores its state too early does so now.
      await scene.quiet(300);
      await held.kill();
      const kept = server.log.head - 2;
      const earlier = server.connections.length;
      const lists = server.listRequests.length;
      scene.start();
      const connection = await scene.seen(PROCESSED, 'the client follows again', () =>
        server.connections.slice(earlier).find(({ subscriptions }) => subscriptions.size > 0),
      );
      const cursor = connection.received('subscribe')[0]?.cursor;
      const position = cursor === undefined ? undefined : server.log.placeOf(cursor)?.position;
      scene.judge(
        'client.state.after-processing',
        server.listRequests.length > lists || (position !== undefined && position <= kept),
        'after a crash the client goes on from the last event that was processed, or reads a new snapshot',
        `it went on from position ${position}, and the last processed event is ${kept}`,
      );
      await scene.converged(PROCESSED);
    },
  },
  {
    name: 'client.state.dropped-before-processing',
    requirements: PROCESSED,
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      const { adapter } = scene;
      adapter.hold();
      server.put('a', 2);
      server.put('b', 2);
      await scene.seen(PROCESSED, 'the client tells the event', () =>
        adapter.records?.a?.value === 2 ? true : undefined,
      );
      connection.cut();
      server.put('c', 2);
      await scene.quiet(300);
      adapter.release();
      await scene.converged(PROCESSED);
    },
  },
  {
    name: 'client.state.other-filter',
    requirements: DEFINITION,
    run: (scene) => startsAnew(scene, () => ({ filter: { '/value': { gte: 3 } } })),
  },
  {
    name: 'client.state.other-api-version',
    requirements: DEFINITION,
    run: (scene) =>
      startsAnew(scene, () => {
        const { server } = scene;
        const implementation = { ...server.document.implementation, api_version: '2' };
        server.document = { ...server.document, implementation };
        return {};
      }),
  },
];
