import { expect, test } from 'vitest';
import { bindSource } from '../support/bind-source.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

test('a cursor that was looked up while the gateway took over a new epoch comes again, and is as good as before', async () => {
  const lookUp = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  let isHeld = false;
  await using harness = await GatewayHarness.start({
    gateway: { minPollMs: 60_000, maxPollMs: 60_000 },
    wrapSource: (source) => ({
      ...bindSource(source),
      tagAt: async (position) => {
        if (isHeld) {
          isAsked.resolve();
          await lookUp.promise;
        }
        return source.tagAt(position);
      },
    }),
  });
  await using client = await harness.client();
  await client.subscribe('s', 'stations');
  await harness.put('stations', { id: 'a' }, { id: 'b' });
  const { cursor } = await client.next('event');
  const { cursor: newest } = await client.next('event');
  const [, , before = ''] = cursor.split('.');
  await harness.store.renewEpoch();
  const { epoch } = await harness.store.source('stations').head();
  const present = (text: string) => text.replace(before, epoch);

  isHeld = true;
  const first = { type: 'subscribe', subscription_id: 'first', resource: 'stations' };
  client.send({ ...first, cursor: present(cursor) });
  await isAsked.promise;
  client.send({ ...first, subscription_id: 'second', cursor: present(newest) });
  const hasReset = () => harness.alarms.some(({ kind }) => kind === 'log_reset');
  while (!hasReset()) await client.take();
  isHeld = false;
  lookUp.resolve();
  await client.until(() => client.errors.some(({ subscription_id: id }) => id === 'first'));
  const codes = client.errors.map(({ subscription_id: id, code }) => `${id} ${code}`);
  expect(codes.toSorted()).toEqual([
    'first service_unavailable',
    's cursor_unavailable',
    'second service_unavailable',
  ]);
  await using other = await harness.client();
  await other.subscribe('first', 'stations', { cursor: present(cursor) });
  expect(await other.next('event')).toMatchObject({ resource_id: 'b' });
});
