import type { CommittedChanges, RecordSource } from 'rostack-core';
import { expect, test, vi } from 'vitest';
import { guardSource } from './guard-source.ts';

const change = {
  position: 1,
  tag: 'a',
  eventId: 'things-e-1.a',
  eventType: undefined,
  transition: 'create',
  id: 'one',
  version: 'e-1.a',
  occurredAtMs: 0,
  before: undefined,
  after: '{}',
} as const;
const committed: CommittedChanges = { epoch: 'e', tagBefore: '', changes: [change] };

test.each<readonly [string, unknown, CommittedChanges | undefined]>([
  ['changes', committed, committed],
  ['nothing', undefined, undefined],
  ['an event of its own', new Event('moved'), undefined],
  ['no changes', { ...committed, changes: undefined }, undefined],
  ['changes of another form', { ...committed, changes: [{ ...change, position: '1' }] }, undefined],
  ['changes without what is before them', { ...committed, tagBefore: undefined }, undefined],
])('a source that calls back with %s', (_name, told, passedOn) => {
  const source = {
    watch: (onMoved: (told: unknown) => void) => {
      onMoved(told);
      return () => {};
    },
  } as unknown as RecordSource;
  const onMoved = vi.fn<(committed?: CommittedChanges) => void>();
  guardSource('things', source).watch(onMoved)();
  expect(onMoved).toHaveBeenCalledExactlyOnceWith(passedOn);
});
