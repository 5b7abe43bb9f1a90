import { expect, test } from 'vitest';
import { samplePage as page } from '../../../test/support/sample-page.ts';
import { bundleNote } from './bundle-note.ts';
import { periodNote } from './period-note.ts';
import { incompleteNotes } from './unread-notes.ts';

/** In Seoul the day has begun an hour and a half ago. */
const at = '2026-11-19T16:30:00.000Z';

test.each([
  ['a meal', () => periodNote(page, { code: '2', label: '중식', status: 'stale', menus: [], fetchedAt: at })],
  ['a bundle', () => bundleNote(page, { status: 'stale', items: [], fetchedAt: at })],
  [
    'an operator',
    () =>
      incompleteNotes(page, [
        { vendor: 'welstory', since: at, reason: 'operator_unreachable', retryAfterMs: 0 },
      ]).join(''),
  ],
])('the note of %s that was read early in the morning names the day of Seoul', (_what, note) => {
  expect(note()).toContain(page.text.date('2026-11-20'));
  expect(note()).toContain('01:30');
});
