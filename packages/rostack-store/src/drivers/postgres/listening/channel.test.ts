import { expect, test } from 'vitest';
import { attachmentOfNote, channelOf, hasChannel, notePayload } from './channel.ts';

test('a schema has a channel as long as PostgreSQL takes its name: 63 bytes', () => {
  const longest = '채널'.repeat(8) + 'x';
  expect(Buffer.byteLength(channelOf(longest))).toBe(63);
  expect(hasChannel(longest)).toBe(true);
  expect(hasChannel(`${longest}x`)).toBe(false);
});

test('a note names its attachment, and neither an echo nor the names of resources are one', () => {
  expect(attachmentOfNote(notePayload(42))).toBe(42);
  for (const payload of ['', 'stations,boats', '?1']) expect(attachmentOfNote(payload)).toBeUndefined();
});
