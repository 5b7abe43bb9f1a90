import { parseStrictJson, type StrictJsonError } from '../../text/strict-json/parse-strict-json.ts';
import { type CrossCheck, read, validateBeyond } from '../model/check.ts';
import { defineFaultsError } from '../model/fault.ts';
import type { Model } from '../model/model.ts';
import { DEFAULT_RELEASE, RELEASES, type Release } from '../release/release.ts';
import { ERROR_MESSAGE_CHECKS } from '../websocket-error/error-message-checks.ts';
import {
  type CompactEvent,
  type ServerMessage,
  type ServerMessage20260812,
  serverMessageModel20260812,
  serverMessageModel20260813,
} from './server-message.ts';

/** The rules of messages from a server, other than events, that look at several places at once. */
export const SERVER_MESSAGE_CROSS_CHECKS: readonly CrossCheck[] = [
  ...ERROR_MESSAGE_CHECKS,
  {
    name: 'drain_covers_reconnect',
    releases: RELEASES,
    *find(message) {
      const reconnect = read(message, 'reconnect_after_ms');
      const drain = read(message, 'drain_timeout_ms');
      if (typeof reconnect !== 'number' || typeof drain !== 'number' || drain >= reconnect) return;
      yield { keys: ['drain_timeout_ms'], message: `must be at least reconnect_after_ms (${reconnect})` };
    },
  },
];

/** A text is not a message of a server. */
export class ServerMessageError extends defineFaultsError(
  'ServerMessageError',
  'invalid_server_message',
  'not a message of a rostack server',
) {}

/**
 * Parses one text frame from a server: a message object, or a compact event as a tuple.
 * @param options.release `2026-08-12` takes errors of any code @default '2026-08-13'
 * @throws ServerMessageError code `invalid_server_message`, with every fault
 * @see protocol section 7
 */
export function parseServerMessage(
  text: string,
  options?: { readonly release?: '2026-08-13' | undefined },
): ServerMessage | CompactEvent;
/**
 * Parses one text frame from a server of release 2026-08-12, whose errors may have any code.
 * @throws ServerMessageError `invalid_server_message`, with every fault
 * @see protocol section 1
 */
export function parseServerMessage(
  text: string,
  options: { readonly release: '2026-08-12' },
): ServerMessage20260812;
export function parseServerMessage(
  text: string,
  options: { readonly release?: Release | undefined } = {},
): ServerMessage | CompactEvent | ServerMessage20260812 {
  const release = options.release ?? DEFAULT_RELEASE;
  const model: Model<ServerMessage | CompactEvent | ServerMessage20260812> =
    release === '2026-08-12' ? serverMessageModel20260812 : serverMessageModel20260813;
  const value = parseJson(text);
  // Clients read events by the thousand, and none of these rules is about events.
  const isEvent = Array.isArray(value) || read(value, 'type') === 'event';
  const result = validateBeyond(model, isEvent ? [] : SERVER_MESSAGE_CROSS_CHECKS, value, release);
  if (!result.ok) throw new ServerMessageError(result.faults);
  return result.value;
}

function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    const { fault } = error as StrictJsonError;
    throw new ServerMessageError([fault.check === 'json' ? { ...fault, check: 'schema' } : fault]);
  }
}
