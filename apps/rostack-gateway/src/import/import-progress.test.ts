import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ImportInput } from './import-file.ts';
import { describeProgress, ImportProgressDisplay } from './import-progress.ts';

const counts = { lines: 500, created: 400, updated: 0, unchanged: 90, refused: 10 };

test.each([
  [0.25, 10_000, '[######..................] 25 % 500 lines, 10 refused, 30 s left'],
  [1, 10_000, '[########################] 100 % 500 lines, 10 refused, 0 s left'],
  [0, 10_000, '[........................] 0 % 500 lines, 10 refused'],
  [undefined, 10_000, '500 lines, 10 refused'],
])('progress of %s', (fraction, elapsedMs, expected) => {
  expect(describeProgress(counts, fraction, elapsedMs)).toBe(expected);
});

class Terminal extends Writable {
  readonly isTTY: boolean;
  text = '';

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function show(isTTY: boolean, updates: readonly number[]): string {
  let nowMs = 0;
  const terminal = new Terminal(isTTY);
  const input: ImportInput = {
    identity: '',
    totalBytes: 100,
    readBytes: () => 50,
    open: () => (async function* () {})(),
  };
  const display = new ImportProgressDisplay(terminal, input, () => nowMs);
  for (const atMs of updates) {
    nowMs = atMs;
    display.update(counts);
  }
  display.end();
  return terminal.text;
}

test('a terminal shows one bar that is drawn over and goes away', () => {
  const text = show(true, [50, 150, 160, 400]);
  expect(text.split('\r')).toHaveLength(4);
  expect(text).not.toContain('\n');
  expect(text.endsWith('\r\u{1b}[K')).toBe(true);
});

test('elsewhere there is a line every ten seconds', () => {
  expect(show(false, [5_000, 10_000, 15_000, 20_500]).split('\n')).toHaveLength(3);
});
