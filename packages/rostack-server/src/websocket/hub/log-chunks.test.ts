import type { Change, RecordSource } from 'rostack-core';
import { expect, test } from 'vitest';
import { LogChunks } from './log-chunks.ts';

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

test('what is still being read when everything is forgotten is neither kept nor shared', async () => {
  const answers: ((changes: readonly Change[]) => void)[] = [];
  const source = { read: () => new Promise<readonly Change[]>((resolve) => answers.push(resolve)) };
  const chunks = new LogChunks(source as unknown as RecordSource);
  const start = { position: 0, tag: '' };
  const old = chunks.read(start);
  chunks.clear();
  const fresh = chunks.read(start);
  answers[0]?.([changeOf(1, 'old')]);
  expect((await old).map(({ change }) => change.id)).toEqual(['old']);
  expect(chunks.kept(start)).toBeUndefined();
  answers[1]?.([changeOf(1, 'new')]);
  expect((await fresh).map(({ change }) => change.id)).toEqual(['new']);
  expect(chunks.kept(start)?.map(({ change }) => change.id)).toEqual(['new']);
});

test('what was read answers for no other history', async () => {
  const asked: (string | undefined)[] = [];
  const source: Pick<RecordSource, 'read'> = {
    read: async (after, _limit, tag) => {
      asked.push(tag);
      return [1, 2, 3].filter((position) => position > after).map((position) => changeOf(position, 'a'));
    },
  };
  const chunks = new LogChunks(source as RecordSource);
  await Promise.all([chunks.read({ position: 0, tag: '' }), chunks.read({ position: 0, tag: '' })]);
  expect(chunks.kept({ position: 1, tag: 'a1' })?.map(({ position }) => position)).toEqual([2, 3]);
  expect(chunks.kept({ position: 1, tag: 'b1' })).toBeUndefined();
  await Promise.all([chunks.read({ position: 1, tag: 'a1' }), chunks.read({ position: 1, tag: 'b1' })]);
  expect(asked).toEqual(['', 'a1', 'b1']);
});
