import { expect, test } from 'vitest';
import { inOrder } from './menu-calendar.ts';

test('a reminder comes last in its event, with its words as they are', () => {
  const alarm = ['BEGIN:VALARM', "DESCRIPTION:1 $& 2 $' 3 $` 4 $1", 'END:VALARM'];
  const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n`;
  expect(inOrder(lines('BEGIN:VEVENT', 'UID:a', ...alarm, 'URL:b', 'END:VEVENT'))).toBe(
    lines('BEGIN:VEVENT', 'UID:a', 'URL:b', ...alarm, 'END:VEVENT'),
  );
});
