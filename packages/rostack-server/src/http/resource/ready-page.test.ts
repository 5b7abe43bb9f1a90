import { expect, test } from 'vitest';
import { encodeCollection, PageCache } from './ready-page.ts';

test('a page that is kept keeps no memory of others alive', () => {
  const cache = new PageCache(1_000_000);
  const bytes = encodeCollection(Buffer.from('{"id":"a"}'), undefined, 'cursor');
  const page = {
    head: { position: 1, floor: 0, epoch: 'e', tag: 't' },
    isLater: false,
    bytes,
    etag: 'W/"1"',
  };
  cache.put('query', page, 0);
  expect(cache.get('query')).toBeUndefined();
  cache.put('query', page, 0);
  const kept = cache.get('query');
  expect(Buffer.from(kept?.bytes ?? []).toString()).toBe(
    '{"page":{"next_cursor":null,"has_more":false,"event_cursor":"cursor"},"items":[{"id":"a"}]}',
  );
  expect(kept?.bytes.buffer.byteLength).toBe(kept?.bytes.byteLength);
});
