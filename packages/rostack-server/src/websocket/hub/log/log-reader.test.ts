import type { Change, RecordSource } from 'rostack-core';
import { expect, test } from 'vitest';
import { LogReader } from './log-reader.ts';
import { LoggedChange } from './logged-change.ts';

const changeOf = (position: number, id: string): Change => ({
  position,
  tag: `${id}${position}`,
  eventId: `${id}${position}`,
  eventType: 'thing.created',
  transition: 'create',
  id,
  version: '1',
  occurredAtMs: 0,
  before: undefined,
  after: '{}',
});

const RING = { maxChanges: 1, maxBytes: 1 };

test('what is still being read when everything is forgotten is neither kept nor shared', async () => {
  const answers: ((changes: readonly Change[]) => void)[] = [];
  const source = { read: () => new Promise<readonly Change[]>((resolve) => answers.push(resolve)) };
  const reader = new LogReader(source as unknown as RecordSource, RING);
  const start = { position: 0, tag: '' };
  const old = reader.after(start);
  reader.clear();
  const fresh = reader.after(start);
  answers[0]?.([changeOf(1, 'old')]);
  expect((await old).map(({ change }) => change.id)).toEqual(['old']);
  expect(reader.after(start)).toBe(fresh);
  answers[1]?.([changeOf(1, 'new')]);
  expect((await fresh).map(({ change }) => change.id)).toEqual(['new']);
  expect(reader.after(start)).toEqual(await fresh);
  expect(answers).toHaveLength(2);
});

test('what was read answers for no other history', async () => {
  const asked: (string | undefined)[] = [];
  const source: Pick<RecordSource, 'read'> = {
    read: async (after, _limit, tag) => {
      asked.push(tag);
      return [1, 2, 3].filter((position) => position > after).map((position) => changeOf(position, 'a'));
    },
  };
  const reader = new LogReader(source as RecordSource, RING);
  await Promise.all([reader.after({ position: 0, tag: '' }), reader.after({ position: 0, tag: '' })]);
  const kept = reader.after({ position: 1, tag: 'a1' });
  expect(kept).not.toBeInstanceOf(Promise);
  expect((await kept).map(({ position }) => position)).toEqual([2, 3]);
  const others = [reader.after({ position: 1, tag: 'b1' }), reader.after({ position: 2, tag: 'b2' })];
  expect(others.every((each) => each instanceof Promise)).toBe(true);
  for (const each of others) await each;
  expect(asked).toEqual(['', 'b1', 'b2']);
});

test('what the newest changes answer is read from the source no more', async () => {
  const reader = new LogReader({} as RecordSource, { maxChanges: 2, maxBytes: 10_000 });
  for (const position of [1, 2, 3])
    reader.push(new LoggedChange(changeOf(position, 'a'), `a${position - 1}`));
  const found = await reader.after({ position: 1, tag: 'a1' });
  expect(found.map(({ position }) => position)).toEqual([2, 3]);
  expect(reader.counts).toMatchObject({ ringHits: 1, ringMisses: 0 });
});
