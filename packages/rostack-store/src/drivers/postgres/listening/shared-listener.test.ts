import { expect, test } from 'vitest';
import type { Hearer, PostgresListener } from './listener.ts';
import { SharedListener } from './shared-listener.ts';

function sharedListener() {
  const opened: Required<Hearer>[] = [];
  const ends = { closed: 0 };
  const shared = new SharedListener((hearer) => {
    opened.push(hearer);
    const listener = { isHeard: true, close: () => (ends.closed += 1) };
    return listener as unknown as PostgresListener;
  });
  return { shared, opened, ends };
}

test('the connection of a process listens until the last of its parts has left, and then for the next', () => {
  const { shared, opened, ends } = sharedListener();
  const heard: string[] = [];
  const leaveHints = shared.add({ onHint: () => heard.push('hint') });
  const leaveNotes = shared.add({ onNote: (attachment) => heard.push(`note ${attachment}`) });
  expect(opened).toHaveLength(1);
  leaveHints();
  expect([ends.closed, shared.isHeard]).toEqual([0, true]);
  opened[0]?.onHint(undefined);
  opened[0]?.onNote(3);
  expect(heard).toEqual(['note 3']);
  leaveNotes();
  expect([ends.closed, shared.isHeard]).toEqual([1, false]);
  shared.add({ onHint: () => {} })();
  expect([opened.length, ends.closed]).toEqual([2, 2]);
});

test('a part that comes later looks at what was written before, unless it has left again', async () => {
  const { shared } = sharedListener();
  const heard: string[] = [];
  shared.add({});
  shared.add({ onHint: (resources) => heard.push(`stays ${resources?.join() ?? 'any'}`) });
  shared.add({ onHint: () => heard.push('leaves') })();
  await Promise.resolve();
  expect(heard).toEqual(['stays any']);
});
