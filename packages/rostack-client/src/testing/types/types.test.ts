import type { JsonObject } from 'rostack-core';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import type { FollowChange, Item, RecordList, RostackClient, SubscriptionMessage } from '../../index.ts';

const model = z.object({ id: z.string(), height: z.coerce.number() });
const model3 = z3.object({ id: z3.string() });
type Station = z.infer<typeof model>;

test('records have the type of the schema, or the one that the caller says', () => {
  const typesOf = (client: RostackClient) => ({
    list: client.list('stations', { schema: model }),
    old: client.list('stations', { schema: model3 }),
    said: client.list<Station>('stations'),
    plain: client.list('stations'),
    get: client.get('stations', 'a', { schema: model }),
    subscription: client.subscribe('stations', { schema: model })[Symbol.asyncIterator](),
    follow: client.follow('stations', { schema: model }),
  });
  type Types = ReturnType<typeof typesOf>;
  expectTypeOf<Types['list']>().toEqualTypeOf<RecordList<Station>>();
  expectTypeOf<Types['old']>().toEqualTypeOf<RecordList<{ id: string }>>();
  expectTypeOf<Types['said']>().toEqualTypeOf<RecordList<Station>>();
  expectTypeOf<Types['plain']>().toEqualTypeOf<RecordList<JsonObject>>();
  expectTypeOf<Types['get']>().toEqualTypeOf<Promise<Item<Station>>>();
  expectTypeOf<Types['subscription']['next']>().returns.resolves.toEqualTypeOf<
    IteratorResult<SubscriptionMessage<Station>, undefined>
  >();
  expectTypeOf<Types['follow']['next']>().returns.resolves.toEqualTypeOf<
    IteratorResult<FollowChange<Station>, undefined>
  >();
});
