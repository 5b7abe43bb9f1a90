import {
  type EventPosition,
  type Head,
  PositionExpiredError,
  type RecordSource,
  SourceUnavailableError,
} from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { bindSource } from '../support/bind-source.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

/** A copy of a source that can be put back, and has whatever place it is told to have. */
class Copy {
  /** What it was asked to reach. */
  readonly asked: EventPosition[] = [];
  isLate = false;
  /** Whether it was replaced by one of another history. */
  isReplaced = false;
  /** Instead of the source's head. */
  head: Head | undefined;

  readonly wrap = (source: RecordSource): RecordSource => ({
    ...bindSource(source),
    head: async () => this.head ?? source.head(),
    read: async (after, limit, tag) => {
      if (this.isReplaced) throw new PositionExpiredError('another history');
      return source.read(after, limit, tag);
    },
    waitForPosition: async (place) => {
      this.asked.push(place);
      if (this.isLate) throw new SourceUnavailableError('not there yet');
    },
  });
}

describe('a gateway over a copy', () => {
  test('refuses no cursor that the copy has not come to: it says when to come again', async () => {
    const copy = new Copy();
    await using harness = await GatewayHarness.start({ wrapSource: copy.wrap });
    await using client = await harness.client();
    await client.subscribe('s', 'stations');
    await harness.put('stations', { id: 'a' });
    const { cursor } = await client.next('event');
    const [, , epoch, position, tag] = cursor.split('.');
    const ahead = cursor.replace(`.${position}.`, '.7.');

    copy.isLate = true;
    client.send({ type: 'subscribe', subscription_id: 'x', resource: 'stations', cursor: ahead });
    expect(await client.next('error')).toMatchObject({
      subscription_id: 'x',
      code: 'service_unavailable',
      retryable: true,
    });
    expect(copy.asked).toEqual([{ epoch, position: 7, tag }]);

    copy.isLate = false;
    client.send({ type: 'subscribe', subscription_id: 'x', resource: 'stations', cursor: ahead });
    expect(await client.next('error')).toMatchObject({ code: 'cursor_unavailable' });
    await client.subscribe('x', 'stations', { cursor });
  });

  test('a replay that meets another history ends with service_unavailable: it may be past what its client was told', async () => {
    await using other = await GatewayHarness.start();
    await using first = await other.client({ subject: 'p' });
    await first.subscribe('s', 'stations');
    await other.put('stations', { id: 'a' }, { id: 'b' });
    const { cursor } = await first.next('event');

    const copy = new Copy();
    const { store, tokens } = other;
    await using harness = await GatewayHarness.start({ store, tokens, wrapSource: copy.wrap });
    await using client = await harness.client({ subject: 'p' });
    copy.isReplaced = true;
    client.send({ type: 'subscribe', subscription_id: 'x', resource: 'stations', cursor });
    await client.next('subscribed');
    expect(await client.next('error')).toMatchObject({ subscription_id: 'x', code: 'service_unavailable' });
  });

  test.each([
    [true, 'service_unavailable'],
    [false, 'cursor_unavailable'],
  ])('whose log falls back (a copy: %s) ends its subscriptions with %s', async (isCopy, code) => {
    const copy = new Copy();
    const wrapSource = (source: RecordSource) => (isCopy ? copy.wrap(source) : bindSource(copy.wrap(source)));
    await using harness = await GatewayHarness.start({ wrapSource });
    await using client = await harness.client();
    await client.subscribe('s', 'stations');
    await harness.put('stations', { id: 'a' });
    await client.next('event');
    const { epoch } = await harness.store.source('stations').head();
    copy.head = { epoch, position: 0, floor: 0, tag: '' };
    expect(await client.next('error')).toMatchObject({ subscription_id: 's', code });
  });
});
