import { describe, expect, test } from 'vitest';
import { coalesce, type InboxRow } from './coalesce.ts';

function put(id: string, image: string, gone: string | null = null): InboxRow {
  return { number: 1, kind: 'w', gone, id, image };
}

const remove = (gone: string): InboxRow => ({ number: 1, kind: 'w', gone, id: null, image: null });
const truncate: InboxRow = { number: 1, kind: 't', gone: null, id: null, image: null };

describe('coalesce', () => {
  test('keeps the last state of each id, in the order of the last touches', () => {
    expect(coalesce([put('a', '1'), put('b', '1'), put('a', '2')])).toEqual({
      isTruncated: false,
      changes: [
        { id: 'b', image: '1' },
        { id: 'a', image: '2' },
      ],
    });
  });

  test('a changed key is a deletion and a put', () => {
    expect(coalesce([put('b', '1', 'a')]).changes).toEqual([
      { id: 'a', image: undefined },
      { id: 'b', image: '1' },
    ]);
    expect(coalesce([remove('a'), put('a', '2')]).changes).toEqual([{ id: 'a', image: '2' }]);
  });

  test('a truncation forgets what the transaction did before', () => {
    expect(coalesce([put('a', '1'), truncate, put('b', '1')])).toEqual({
      isTruncated: true,
      changes: [{ id: 'b', image: '1' }],
    });
  });
});
