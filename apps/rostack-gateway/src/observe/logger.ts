import type { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { createScrubber } from './scrub.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `text`: a line for people; `json`: an object a line. */
  readonly format: 'json' | 'text';
  readonly destination: Writable;
  /** Never written, beside all that looks like a credential. */
  readonly secrets: readonly (string | undefined)[];
}

const LEVEL_NAMES: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** A structured logger. Every line passes a scrubber, so that no credential is written whoever logs it. */
export function createLogger({ level, format, destination, secrets }: LoggerOptions): Logger {
  const scrub = createScrubber(secrets);
  const write = (line: string) => {
    const clean = scrub(line);
    destination.write(format === 'json' ? clean : forPeople(clean));
  };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** `2026-11-01T00:00:00.000Z info message key=value`. */
function forPeople(line: string): string {
  const { level, time, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const members = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${[time, LEVEL_NAMES[Number(level)] ?? level, msg ?? '', ...members].join(' ')}\n`;
}
