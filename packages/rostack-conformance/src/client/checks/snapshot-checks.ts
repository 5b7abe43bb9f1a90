import { createProblem } from 'rostack-core';
import type { ClientCheck } from '../scene/client-check.ts';
import type { Scene } from '../scene/scene.ts';

const WHOLE = ['client.snapshot.whole'];

/** Invalidates the cursor while the records change, disturbs the reading of pages, and checks what the application sees. */
async function replaced(
  scene: Scene,
  disturb: (pages: number) => 'cut' | 'expired' | undefined,
): Promise<void> {
  const { server } = scene;
  const connection = await scene.established();
  const before = scene.adapter.records;
  const told = scene.changes.length;
  let refusedAt: number | undefined;
  let pages = 0;
  server.script.message = (each, message) => {
    if (each === connection || message.type !== 'subscribe' || refusedAt !== undefined) return false;
    refusedAt = server.log.head;
    each.refuse(message.subscription_id, 'cursor_unavailable');
    return true;
  };
  server.script.http = ({ url }) => {
    if (url.pathname !== server.collectionPath) return undefined;
    pages += 1;
    // The list changes between its pages, which all have to show the moment of the first page.
    if (pages === 2) server.put('during', 5);
    const disturbance = disturb(pages);
    if (disturbance !== 'expired') return disturbance;
    const body = createProblem('invalid-cursor');
    return { status: body.status, body };
  };
  connection.cut();
  server.remove('a');
  for (const id of ['x', 'y', 'z']) server.put(id, 5);
  await scene.converged(WHOLE);
  const { cursor } = await scene.seen(WHOLE, 'the client subscribes again after its cursor was refused', () =>
    server.connections.flatMap((each) => (each === connection ? [] : each.received('subscribe'))).at(1),
  );
  const partial = scene.changes
    .slice(told)
    .filter(({ records, eventId }) => eventId === undefined && !isWhole(Object.keys(records)));
  scene.judge(
    'client.snapshot.whole',
    before !== undefined && partial.length === 0,
    'the application sees the set before and the new set, and nothing between',
    `it saw ${Object.keys(partial[0]?.records ?? {}).join(', ') || 'an empty set'}`,
  );
  const position = cursor === undefined ? undefined : server.log.placeOf(cursor)?.position;
  scene.judge(
    'client.snapshot.whole',
    (position ?? -1) >= (refusedAt ?? 0),
    'the client subscribes from the event_cursor of the new list',
    `it subscribed from position ${position}, and the list is of ${refusedAt} or later`,
  );
}

/** Whether the ids are the set from before, or the one of the new list. */
const isWhole = (ids: readonly string[]): boolean =>
  ids.includes('a') !== (ids.includes('x') && ids.includes('z') && ids.includes('e')) && ids.includes('e');

export const snapshotChecks: readonly ClientCheck[] = [
  { name: 'client.snapshot.replaced', requirements: WHOLE, run: (scene) => replaced(scene, () => undefined) },
  {
    name: 'client.snapshot.cut-chain',
    requirements: WHOLE,
    run: (scene) => replaced(scene, (pages) => (pages === 3 ? 'cut' : undefined)),
  },
  {
    name: 'client.snapshot.expired-chain',
    requirements: WHOLE,
    run: (scene) => replaced(scene, (pages) => (pages === 3 ? 'expired' : undefined)),
  },
];
