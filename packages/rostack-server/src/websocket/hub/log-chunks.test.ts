import type { Change, RecordSource } from 'rostack-core';
import { expect, test } from 'vitest';
import { LogChunks } from './log-chunks.ts';

const changeOf = (position: number, id: string): Change => ({
  position,
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
  const old = chunks.read(0);
  chunks.clear();
  const fresh = chunks.read(0);
  answers[0]?.([changeOf(1, 'old')]);
  expect((await old).map(({ change }) => change.id)).toEqual(['old']);
  expect(chunks.kept(0)).toBeUndefined();
  answers[1]?.([changeOf(1, 'new')]);
  expect((await fresh).map(({ change }) => change.id)).toEqual(['new']);
  expect(chunks.kept(0)?.map(({ change }) => change.id)).toEqual(['new']);
});
