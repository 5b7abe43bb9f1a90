import { expect, test } from 'vitest';
import { SHOWN_DIALS } from '../../cluster/peers/dials.ts';
import { RecentAlarms } from './recent-alarms.ts';

test('the latest alarms are kept, and the same one in a row counts as one', () => {
  let nowMs = 0;
  const recent = new RecentAlarms(() => (nowMs += 1));
  for (let number = 0; number < 2 * SHOWN_DIALS.alarms; number += 1) recent.note('move_failed', `${number}`);
  for (let time = 0; time < 3; time += 1) recent.note('move_failed', 'again');
  expect(recent.alarms).toHaveLength(SHOWN_DIALS.alarms);
  expect(recent.alarms[0]).toEqual({ kind: 'move_failed', message: 'again', atMs: nowMs, count: 3 });
  expect(recent.alarms[1]).toMatchObject({ message: `${2 * SHOWN_DIALS.alarms - 1}`, count: 1 });
});
