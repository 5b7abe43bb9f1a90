import type { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import {
  checkOptions,
  escapeControls,
  escapeLine,
  expecting,
  listOf,
  objectWith,
  oneOf,
  optional,
  optionsOf,
  parseTrustedJson,
} from 'rostack-core';
import { aGatewayConfig, type GatewayConfig } from '../../config/model/gateway-config.ts';
import { boundedWrites } from './bounded-writes.ts';
import { createScrubber } from './scrub.ts';

/** What is logged, and how. */
export interface LoggerOptions {
  /** The least level that is written. */
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `text`: a line for people; `json`: one object per line. */
  readonly format: 'json' | 'text';
  /** What lines are written to, such as `process.stderr`. */
  readonly destination: Writable;
  /** Texts that are never written; anything that looks like a credential is not written either. */
  readonly secrets: readonly (string | undefined)[];
}

const LEVEL_NAMES: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

const WARN = 40;

const loggerOptions = optionsOf<LoggerOptions>({
  level: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  format: oneOf('json', 'text'),
  destination: objectWith('write'),
  secrets: listOf(optional(expecting('a string', (value) => typeof value === 'string'))),
});

/**
 * A structured logger. Every line goes through a scrubber, so that no credential is ever written, and characters that could control a
 * terminal or forge a line are escaped. If the destination is not read, lines beyond 4 MiB are dropped and counted.
 * @throws OptionsError `invalid_options`
 */
export function createLogger(options: LoggerOptions): Logger {
  checkOptions(loggerOptions, options, 'The logger cannot be made');
  const { level, format, destination, secrets } = options;
  const scrub = createScrubber(secrets);
  const inFormat = (line: string): string =>
    format === 'json' ? escapeControls(line) : `${escapeLine(forPeople(line))}\n`;
  const send = boundedWrites(destination, (lines) => {
    const msg = 'lines of the log were dropped: it was not read fast enough';
    return inFormat(`${JSON.stringify({ level: WARN, time: new Date().toISOString(), lines, msg })}\n`);
  });
  const write = (line: string) => send(inFormat(scrub(line)));
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** `2026-11-01T00:00:00.000Z info message key=value`. */
function forPeople(line: string): string {
  const { level, time, msg, ...rest } = parseTrustedJson(line) as Record<string, unknown>;
  const members = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [time, LEVEL_NAMES[Number(level)] ?? level, msg ?? '', ...members].join(' ');
}

/**
 * Every secret that a configuration holds, to be kept out of logs.
 * @throws OptionsError `invalid_options`
 */
export function configSecrets(config: GatewayConfig): readonly (string | undefined)[] {
  checkOptions(aGatewayConfig, config, 'The secrets cannot be listed', 'config');
  const { keys, listeners, store, hints, metrics, telemetry } = config;
  return [
    keys,
    listeners.admin?.token,
    hints.natsToken,
    metrics.canary?.token,
    telemetry.otlpHeaders,
    ...(telemetry.otlpHeaders ?? '').split(',').map((pair) => pair.split(/=(.*)/s)[1]?.trim()),
    ...passwordsOf(store.url),
    ...passwordsOf(store.directUrl),
  ];
}

function passwordsOf(databaseUrl: string | undefined): readonly (string | undefined)[] {
  if (databaseUrl === undefined || !URL.canParse(databaseUrl)) return [];
  const { password, searchParams } = new URL(databaseUrl);
  return [password, decoded(password), searchParams.get('password') ?? undefined];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
