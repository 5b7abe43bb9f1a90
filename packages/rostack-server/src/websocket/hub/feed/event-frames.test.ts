import type { Change, EventDescriptor } from 'rostack-core';
import { expect, test } from 'vitest';
import { historyTexts } from '../../../guard/history-texts.ts';
import { LoggedChange } from '../log/logged-change.ts';
import { EventFrames } from './event-frames.ts';

const CHANGES = 1_000;
const DESCRIPTOR: EventDescriptor = {
  name: 'station.updated',
  state_transition: 'update',
  schema_url: 'https://a.example/s',
  schema_dialect: 'https://json-schema.org/draft/2020-12/schema',
};

function changeAt(position: number, note: string): LoggedChange {
  const record = JSON.stringify({ id: 'a', position, note });
  const change: Change = {
    position,
    tag: 'tag',
    eventId: `stations-${position}`,
    eventType: undefined,
    transition: 'update',
    id: 'a',
    version: String(position),
    occurredAtMs: 1_000,
    before: record,
    after: record,
  };
  return new LoggedChange(change, 'tag');
}

test.for([
  ['small', 'x'],
  ['of 1 kB, deflated', 'a station at a river, '.repeat(40)],
])('halves keep no memory of others alive: %s', ([, note = '']) => {
  const frames = new EventFrames({
    resource: 'stations',
    history: historyTexts(new Uint8Array(32), 'stations', undefined),
    data: { events: undefined, hidden: [], validate: undefined },
    onAlarm: ({ kind }) => expect.unreachable(kind),
  });
  const kept = Array.from({ length: CHANGES }, (_, index) => {
    const shared = frames.shared(changeAt(index + 1, note), DESCRIPTOR, 'json', 'epoch');
    const own = frames.own('json', `subscription ${index}`, 'tag');
    const pieces = [shared.first, shared.second, shared.deflatedSecond, own.first, own.second];
    // Stands for writes to sockets in the meantime.
    Buffer.from(note.padEnd(2_000));
    return pieces;
  }).flat();
  expect(kept[1]?.toString()).toContain('"position":1,');
  const bytes = kept.reduce((sum, piece) => sum + piece.byteLength, 0);
  const memory = [...new Set(kept.map(({ buffer }) => buffer))];
  const memoryBytes = memory.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(memoryBytes).toBeLessThan(1.2 * bytes + 16_384);
});
