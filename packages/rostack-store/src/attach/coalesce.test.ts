import { describe, expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';

type Entry = Parameters<typeof coalesce>[0][number];

function put(id: string, image: string, gone?: string): Entry {
  return {
    kind: 'w',
    gone: gone === undefined ? null : JSON.stringify([gone]),
    rows: JSON.stringify([[id, image]]),
  };
}

const remove = (gone: string): Entry => ({ kind: 'w', gone: JSON.stringify([gone]), rows: null });
const truncate: Entry = { kind: 't', gone: null, rows: null };

describe('coalesce', () => {
  test('keeps the last state of each id, in the order of the last touches', () => {
    expect(coalesce([put('a', '1'), put('b', '1'), put('a', '2')])).toEqual({
      isTruncated: false,
      changes: [
        { id: 'b', image: ['b', '1'] },
        { id: 'a', image: ['a', '2'] },
      ],
    });
  });

  test('a changed key is a deletion and a put', () => {
    expect(coalesce([put('b', '1', 'a')]).changes).toEqual([
      { id: 'a', image: null },
      { id: 'b', image: ['b', '1'] },
    ]);
    expect(coalesce([remove('a'), put('a', '2')]).changes).toEqual([{ id: 'a', image: ['a', '2'] }]);
  });

  test('a truncation forgets what the transaction did before', () => {
    expect(coalesce([put('a', '1'), truncate, put('b', '1')])).toEqual({
      isTruncated: true,
      changes: [{ id: 'b', image: ['b', '1'] }],
    });
  });
});
