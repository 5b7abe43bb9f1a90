import { FilterError } from '../../query/filter/filter-error.ts';
import { DEFAULT_FILTER_LIMITS } from '../../query/filter/filter-limits.ts';
import { parseFilter } from '../../query/filter/parse-filter.ts';
import { parseStrictJson, StrictJsonError } from '../../text/strict-json/parse-strict-json.ts';
import { defineFaultsError } from '../model/fault.ts';
import { validate } from '../model/validate.ts';
import { DEFAULT_RELEASE, type Release } from '../release/release.ts';
import { type ReceivedMessage, receivedModel } from './client-message.ts';
import { AUTHENTICATION_METHODS } from './shared-models.ts';

/** A text is not a message of a client. */
export class ClientMessageError extends defineFaultsError(
  'ClientMessageError',
  'invalid_message',
  'not a message of a rostack client',
) {}

type Members = Readonly<Record<string, unknown>>;

/**
 * Parses one text frame from a client. Members must not repeat, a double must keep every number, and a filter must be
 * within the default limits. An `event_encoding` may be any text: the subscription answers `unsupported_encoding`.
 * @param options.release `2026-08-12` takes filters whose operands are of any type @default '2026-08-13'
 * @throws ClientMessageError code `invalid_message`, with every fault
 * @see protocol section 7
 */
export function parseClientMessage(
  text: string,
  { release = DEFAULT_RELEASE }: { readonly release?: Release | undefined } = {},
): ReceivedMessage {
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ClientMessageError(error.faults);
  }
  if (isMembers(value)) {
    if (value.type === 'subscribe' && value.filter !== undefined) {
      refuseBadFilter(value.filter, release);
    }
    if (isReceivedMessage(value)) return value;
  }
  const result = validate<ReceivedMessage>(receivedModel, value);
  if (!result.ok) throw new ClientMessageError(result.faults);
  return result.value;
}

/** Runs before the model, which would follow any depth. It is the subscription that refuses a valid but unsupported filter. */
function refuseBadFilter(filter: unknown, release: Release): void {
  try {
    parseFilter(filter, DEFAULT_FILTER_LIMITS, release);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    if (error.code === 'unsupported_filter') return;
    throw new ClientMessageError([{ check: error.check, path: '/filter', message: error.message }]);
  }
}

/** A quick test that is true only for what the model accepts. If it is false, the model decides and says what is wrong. */
function isReceivedMessage(message: Members): message is ReceivedMessage {
  switch (message.type) {
    case 'ping':
    case 'pong':
      return isText(message.id) && hasMembers(message, 2);
    case 'authenticate':
      return (
        isOneOf(AUTHENTICATION_METHODS, message.method) && isText(message.token) && hasMembers(message, 3)
      );
    case 'unsubscribe':
      return isText(message.subscription_id) && hasMembers(message, 2);
    case 'subscribe':
      return isSubscribe(message);
    default:
      return false;
  }
}

function isSubscribe(message: Members): boolean {
  if (!isText(message.subscription_id) || !isText(message.resource)) return false;
  let members = 3;
  if (message.filter !== undefined) members += 1;
  if (message.cursor !== undefined) {
    if (!isText(message.cursor)) return false;
    members += 1;
  }
  if (message.event_encoding !== undefined) {
    if (typeof message.event_encoding !== 'string') return false;
    members += 1;
  }
  if (message.event_types !== undefined) {
    if (!isSetOfStrings(message.event_types)) return false;
    members += 1;
  }
  return hasMembers(message, members);
}

function isSetOfStrings(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((text) => typeof text === 'string') && new Set(value).size === value.length;
}

function hasMembers(message: Members, count: number): boolean {
  let members = 0;
  for (const _ in message) members += 1;
  return members === count;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isOneOf(values: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && values.includes(value);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
