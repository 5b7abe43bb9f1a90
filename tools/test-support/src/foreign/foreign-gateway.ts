import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { filterProblem, matches } from './foreign-filter.ts';
import { eventCursor, type ForeignChange, type ForeignLog } from './foreign-log.ts';
import {
  type ForeignResource,
  type ForeignStyle,
  type ForeignTransition,
  type Json,
  type JsonRecord,
  textOf,
} from './foreign-style.ts';

const AUTHENTICATION_TIMEOUT_MS = 2_000;

interface Subscribed {
  readonly definition: string;
  readonly resource: ForeignResource;
  readonly filter: JsonRecord | undefined;
  readonly types: readonly string[];
  readonly encoding: string;
}

/** One connection to the gateway of a stand-in. */
export class ForeignConnection {
  readonly #socket: WebSocket;
  readonly #style: ForeignStyle;
  readonly #log: ForeignLog;
  readonly #principalOf: (token?: string) => string | undefined;
  readonly #subscriptions = new Map<string, Subscribed>();
  #principal: string | undefined;

  constructor(
    socket: WebSocket,
    style: ForeignStyle,
    log: ForeignLog,
    principalOf: (token?: string) => string | undefined,
  ) {
    this.#socket = socket;
    this.#style = style;
    this.#log = log;
    this.#principalOf = principalOf;
  }

  /** Talks until the socket is closed. */
  serve(): void {
    const socket = this.#socket;
    const timer = setTimeout(() => socket.close(4408), AUTHENTICATION_TIMEOUT_MS);
    const stopListening = this.#log.listen((change) => this.#tell(change));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      stopListening();
    });
    socket.on('message', (data: Buffer, isBinary) => {
      const message = isBinary ? undefined : readMessage(data);
      if (message === undefined) socket.close(4400);
      else this.#take(message);
      if (this.#principal !== undefined) clearTimeout(timer);
    });
  }

  #take(message: JsonRecord): void {
    const { type, id } = message;
    if (!isWellFormed(message)) {
      if (this.#principal !== undefined) this.#refuse('invalid_message');
      else this.#socket.close(4400);
    } else if (type === 'authenticate') this.#authenticate(message);
    else if (this.#principal === undefined) this.#socket.close(4401);
    else if (type === 'ping') this.#send({ type: 'pong', id: id ?? '' });
    else if (type === 'unsubscribe') this.#subscriptions.delete(textOf(message['subscription_id']));
    else if (type === 'subscribe') this.#subscribe(message);
  }

  #authenticate({ method, token }: JsonRecord): void {
    const principal = this.#principalOf(textOf(token));
    if (method !== 'shared_token' || principal === undefined) {
      this.#refuse('authentication_failed', undefined, true);
      if (this.#principal === undefined) this.#socket.close(4401);
      return;
    }
    if (this.#principal !== undefined && this.#principal !== principal) {
      this.#refuse('reauthentication_identity_mismatch');
      return;
    }
    this.#principal = principal;
    const { apiVersion } = this.#style;
    this.#send({
      type: 'authenticated',
      method,
      protocol_version: 'rostack_v1',
      api_version: apiVersion,
      principal_id: principal,
    });
  }

  #subscribe(message: JsonRecord): void {
    const id = textOf(message['subscription_id']);
    const { cursor, event_encoding: encoding = 'json' } = message;
    const resource = this.#style.resources.find(({ name }) => name === message['resource']);
    if (resource === undefined) return this.#refuse('resource_not_found', id);
    const all = Object.values(resource.eventNames);
    const types = (message['event_types'] ?? all) as readonly string[];
    if (!types.every((one) => all.includes(one))) return this.#refuse('unsupported_event_type', id);
    if (!this.#style.encodings.includes(encoding as 'json')) return this.#refuse('unsupported_encoding', id);
    const filter = message['filter'] as JsonRecord | undefined;
    const { filterable } = resource;
    if (filter !== undefined && filterable === undefined) return this.#refuse('unsupported_filter', id);
    const problem = filter && filterProblem(filter, filterable ?? {});
    if (problem === 'invalid-filter') return this.#refuse('invalid_message');
    if (problem !== undefined) return this.#refuse('unsupported_filter', id);
    const definition = JSON.stringify([resource.name, types.toSorted(), sorted(filter), encoding, cursor]);
    const before = this.#subscriptions.get(id);
    if (before !== undefined && before.definition !== definition)
      return this.#refuse('subscription_id_conflict', id);
    const [, from, ...scope] = /^(\d+):(.*):(.*)$/.exec(textOf(cursor)) ?? [];
    if (cursor !== undefined && (from === undefined || Number(from) > this.#log.position))
      return this.#refuse('cursor_unavailable', id);
    if (from !== undefined && scope.join() !== [resource.name, this.#principal].join())
      return this.#refuse('cursor_scope_mismatch', id);
    const isReplaying = from !== undefined && before === undefined;
    this.#send({ type: 'subscribed', subscription_id: id, event_encoding: encoding, replaying: isReplaying });
    if (before !== undefined) return undefined;
    const made = { definition, resource, filter, types, encoding: textOf(encoding) };
    this.#subscriptions.set(id, made);
    if (from === undefined) return undefined;
    for (const change of this.#log.changes.slice(Number(from))) this.#deliver(id, made, change);
    return this.#send({ type: 'replay_complete', subscription_id: id });
  }

  #tell(change: ForeignChange): void {
    for (const [id, subscribed] of this.#subscriptions) this.#deliver(id, subscribed, change);
  }

  #deliver(id: string, { resource, filter, types, encoding }: Subscribed, change: ForeignChange): void {
    if (change.resource !== resource) return;
    const { before, after, position } = change;
    const isKnownGone = before === undefined && after === undefined;
    const wasIn = isKnownGone || (before !== undefined && matches(before, filter));
    const isIn = after !== undefined && matches(after, filter);
    const transition: ForeignTransition | undefined = isIn
      ? wasIn
        ? 'update'
        : 'create'
      : wasIn
        ? 'delete'
        : undefined;
    if (transition === undefined || !types.includes(resource.eventNames[transition])) return;
    const { eventData = recordOfChange } = resource;
    const data = eventData(transition, after ?? before ?? {});
    const occurredAtMs = 1_790_000_000_000 + position;
    const event = {
      event_id: `e${position}`,
      cursor: eventCursor(position, resource, this.#principal ?? ''),
      event_type: resource.eventNames[transition],
      resource_id: change.id,
      resource_version: `v${position}`,
    };
    if (encoding === 'compact-json') {
      const { event_id, cursor, event_type, resource_id, resource_version } = event;
      const head: Json[] = [
        'e',
        id,
        event_id,
        cursor,
        occurredAtMs,
        event_type,
        resource_id,
        resource_version,
      ];
      this.#send(data === undefined ? head : [...head, null, data]);
      return;
    }
    const occurred_at = new Date(occurredAtMs).toISOString();
    this.#send({
      type: 'event',
      subscription_id: id,
      occurred_at,
      ...event,
      ...(data !== undefined && { data }),
    });
  }

  #refuse(code: string, subscriptionId?: string, retryable = false): void {
    const concerns = subscriptionId === undefined ? {} : { subscription_id: subscriptionId };
    this.#send({ type: 'error', code, message: code.replaceAll('_', ' '), retryable, ...concerns });
  }

  #send(message: Json): void {
    this.#socket.send(JSON.stringify(message));
  }
}

/** With the members of each object in one order. */
function sorted(value: Json | undefined): Json {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

const recordOfChange = (transition: ForeignTransition, record: JsonRecord): JsonRecord | undefined =>
  transition === 'delete' ? undefined : record;

const MEMBERS: Readonly<Record<string, readonly [needed: readonly string[], optional: readonly string[]]>> = {
  authenticate: [['method', 'token'], []],
  subscribe: [
    ['subscription_id', 'resource'],
    ['event_types', 'filter', 'cursor', 'event_encoding'],
  ],
  unsubscribe: [['subscription_id'], []],
  ping: [['id'], []],
  pong: [['id'], []],
};

function isWellFormed({ type, ...members }: JsonRecord): boolean {
  const [needed, optional] = MEMBERS[textOf(type)] ?? [];
  if (needed === undefined || optional === undefined) return false;
  const names = Object.keys(members);
  if (!needed.every((name) => typeof members[name] === 'string' && members[name] !== '')) return false;
  const { event_types: types, filter, cursor = '0' } = members;
  if (
    types !== undefined &&
    !(Array.isArray(types) && types.length > 0 && new Set(types).size === types.length)
  )
    return false;
  if (filter !== undefined && (typeof filter !== 'object' || filter === null || Array.isArray(filter)))
    return false;
  if (typeof cursor !== 'string' || cursor === '') return false;
  return names.every((name) => needed.includes(name) || optional.includes(name));
}

function readMessage(data: Buffer): JsonRecord | undefined {
  try {
    const value = JSON.parse(data.toString('utf8')) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Unguessable, as tokens have to be. */
export const newToken = (): string => `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
