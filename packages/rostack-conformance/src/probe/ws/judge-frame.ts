import { hasCode, parseServerMessage, type Release, type ServerMessageError } from 'rostack-core';
import { parseJudgedJson } from '../http/parse-judged-json.ts';
import type { SeenMessage } from './seen-message.ts';

/** What one frame of the target shows about requirements. */
export interface FrameJudgement {
  /** Ids that it keeps. */
  readonly kept: readonly string[];
  /** Ids that it breaks, with what is wrong. */
  readonly broken: readonly { readonly id: string; readonly got: string }[];
}

const VALID = 'release.messages';

/** The requirements that frames of a server are judged by, no matter which check caused them. */
export const FRAME_REQUIREMENTS = [
  VALID,
  'ws.frames',
  'ws.closed',
  'ws.messages.eleven',
  'ws.message.authenticated',
  'ws.message.subscribed',
  'ws.message.replay_complete',
  'ws.message.event',
  'ws.message.error',
  'ws.message.go_away',
  'ws.message.ping',
  'ws.message.pong',
  'ws.rule.url_usable',
  'ws.rule.date_time_valid',
  'ws.rule.whole_number_exact',
  'ws.rule.subscription_id_given',
  'ws.rule.subscription_id_fits_code',
  'ws.rule.drain_covers_reconnect',
  'ws.compact.shape',
  'ws.compact.data-after-url',
  'err.ws.retryable',
  'err.ws.subscription-id',
  'err.ws.retry-after',
  'err.ws.undeclared-never-sent',
] as const;

type FrameRequirement = (typeof FRAME_REQUIREMENTS)[number];

/** What a server may send, and the requirement that defines its shape. */
const SERVER_TYPES: Readonly<Record<string, FrameRequirement>> = {
  authenticated: 'ws.message.authenticated',
  subscribed: 'ws.message.subscribed',
  replay_complete: 'ws.message.replay_complete',
  event: 'ws.message.event',
  error: 'ws.message.error',
  go_away: 'ws.message.go_away',
  ping: 'ws.message.ping',
  pong: 'ws.message.pong',
};

/** The rules beyond the schema, and the requirement of each. */
const RULES: Readonly<Record<string, FrameRequirement>> = {
  url_usable: 'ws.rule.url_usable',
  date_time_valid: 'ws.rule.date_time_valid',
  whole_number_exact: 'ws.rule.whole_number_exact',
  subscription_id_given: 'ws.rule.subscription_id_given',
  subscription_id_fits_code: 'ws.rule.subscription_id_fits_code',
  drain_covers_reconnect: 'ws.rule.drain_covers_reconnect',
};

/** The requirements of release 2026-08-13 for members of an error, besides its shape. */
const ERROR_MEMBERS: Readonly<Record<string, FrameRequirement>> = {
  '/retryable': 'err.ws.retryable',
  '/subscription_id': 'err.ws.subscription-id',
  '/retry_after_ms': 'err.ws.retry-after',
};

/** The members of all messages that a server sends; any other is unknown. */
const MEMBER_NAMES = new Set(
  (
    'type method protocol_version api_version principal_id reauthenticate_at subscription_id event_encoding replaying ' +
    'event_id cursor occurred_at event_type resource_id resource_version detail_url data code message retryable ' +
    'retry_after_ms reason reconnect_after_ms drain_timeout_ms gateway_url id'
  ).split(' '),
);

export interface FrameRules {
  readonly release: Release;
  /** The error codes that discovery declares; undefined if the release has no such declaration. */
  readonly declaredCodes: ReadonlySet<string> | undefined;
}

/** Judges one text frame of the target by the schemas and rules of the release. */
export function judgeFrame(frame: string, message: SeenMessage, rules: FrameRules): FrameJudgement {
  if (!isJson(frame)) return { kept: [], broken: [{ id: 'ws.frames', got: 'The text is not JSON.' }] };
  const shape = message.isCompact ? 'ws.compact.shape' : SERVER_TYPES[message.type];
  if (shape === undefined) {
    const got = `A server does not send messages of type ${JSON.stringify(message.members.type ?? null)}.`;
    return { kept: ['ws.frames'], broken: [{ id: 'ws.messages.eleven', got }] };
  }
  const invalid = brokenBy(frame, message, shape, rules);
  const broken = [
    ...invalid,
    ...invalid.slice(0, 1).map(({ got }) => ({ id: VALID, got })),
    ...undeclared(message, rules),
  ];
  const seen = [VALID, 'ws.frames', 'ws.messages.eleven', 'ws.closed', shape, ...alsoSeen(message, rules)];
  return { kept: seen.filter((id) => !broken.some((each) => each.id === id)), broken };
}

function brokenBy(frame: string, message: SeenMessage, shape: FrameRequirement, { release }: FrameRules) {
  try {
    // Each overload takes a single release.
    if (release === '2026-08-12') parseServerMessage(frame, { release });
    else parseServerMessage(frame, { release });
    return [];
  } catch (error) {
    if (!hasCode<ServerMessageError>(error, 'invalid_server_message')) throw error;
    return error.faults.map(({ check, path, message: wrong }) => ({
      id: RULES[check] ?? requirementAt(path, message, shape, release),
      got: `${path === '' ? 'It' : path} ${wrong}.`,
    }));
  }
}

function requirementAt(
  path: string,
  message: SeenMessage,
  shape: FrameRequirement,
  release: Release,
): FrameRequirement {
  if (message.isCompact) return path === '/8' ? 'ws.compact.data-after-url' : shape;
  if (!MEMBER_NAMES.has(path.split('/')[1] ?? '') && path !== '') return 'ws.closed';
  if (message.type !== 'error' || release === '2026-08-12') return shape;
  return ERROR_MEMBERS[path] ?? shape;
}

function undeclared({ type, members }: SeenMessage, { declaredCodes }: FrameRules) {
  const { code } = members;
  if (type !== 'error' || declaredCodes === undefined) return [];
  if (typeof code !== 'string' || declaredCodes.has(code)) return [];
  return [{ id: 'err.ws.undeclared-never-sent', got: `${code} was sent, which discovery does not declare.` }];
}

/** Requirements, besides its shape, that a message of this kind is judged by. */
function alsoSeen({ type, members, isCompact }: SeenMessage, { release, declaredCodes }: FrameRules) {
  if (isCompact) return members.data === undefined ? [] : ['ws.compact.data-after-url'];
  if (type === 'event') {
    return ['ws.rule.date_time_valid', ...(members.detail_url === undefined ? [] : ['ws.rule.url_usable'])];
  }
  if (type === 'go_away') return ['ws.rule.drain_covers_reconnect', 'ws.rule.whole_number_exact'];
  if (type !== 'error' || release === '2026-08-12') return [];
  return [
    'err.ws.retryable',
    'err.ws.subscription-id',
    'err.ws.retry-after',
    members.subscription_id === undefined
      ? 'ws.rule.subscription_id_fits_code'
      : 'ws.rule.subscription_id_given',
    ...(declaredCodes === undefined ? [] : ['err.ws.undeclared-never-sent']),
  ];
}

function isJson(frame: string): boolean {
  try {
    parseJudgedJson(frame);
    return true;
  } catch {
    return false;
  }
}
