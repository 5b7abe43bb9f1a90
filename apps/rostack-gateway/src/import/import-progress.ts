import type { Writable } from 'node:stream';
import type { ImportCounts } from './import-checkpoint.ts';
import type { ImportInput } from './import-file.ts';

const BAR_WIDTH = 24;
const BAR_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 10_000;

/** Shows how far an import has come: a bar on a terminal, otherwise one line every 10 s. */
export class ImportProgressDisplay {
  readonly #stream: Writable & { readonly isTTY?: boolean };
  readonly #input: ImportInput;
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  #shownAtMs: number;
  #isBarShown = false;

  constructor(stream: Writable & { readonly isTTY?: boolean }, input: ImportInput, nowMs: () => number) {
    this.#stream = stream;
    this.#input = input;
    this.#nowMs = nowMs;
    this.#startedAtMs = nowMs();
    this.#shownAtMs = this.#startedAtMs;
  }

  update(counts: ImportCounts): void {
    const nowMs = this.#nowMs();
    const isTerminal = this.#stream.isTTY === true;
    if (nowMs - this.#shownAtMs < (isTerminal ? BAR_INTERVAL_MS : LINE_INTERVAL_MS)) return;
    this.#shownAtMs = nowMs;
    const text = describeProgress(counts, this.#fraction(), nowMs - this.#startedAtMs);
    this.#stream.write(isTerminal ? `\r${text}\u{1b}[K` : `${text}\n`);
    this.#isBarShown = isTerminal;
  }

  /** Clears the bar. */
  end(): void {
    if (this.#isBarShown) this.#stream.write('\r\u{1b}[K');
  }

  #fraction(): number | undefined {
    const { totalBytes, readBytes } = this.#input;
    return totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, readBytes() / totalBytes);
  }
}

/** One line: bar, share of the file, counts, time left. */
export function describeProgress(
  counts: ImportCounts,
  fraction: number | undefined,
  elapsedMs: number,
): string {
  const { lines, refused } = counts;
  const summary = `${lines} lines${refused > 0 ? `, ${refused} refused` : ''}`;
  if (fraction === undefined) return summary;
  const filled = Math.round(fraction * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
  const leftMs = fraction > 0 ? (elapsedMs / fraction) * (1 - fraction) : undefined;
  const left = leftMs === undefined ? '' : `, ${Math.ceil(leftMs / 1_000)} s left`;
  return `${bar} ${Math.floor(fraction * 100)} % ${summary}${left}`;
}
