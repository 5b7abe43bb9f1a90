import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { readFilter } from './foreign-http.ts';
import type { ForeignChange, ForeignLog } from './foreign-log.ts';
import {
  type ForeignResource,
  type ForeignStyle,
  type ForeignTransition,
  type Json,
  type JsonRecord,
  matches,
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
  readonly #isToken: (token?: string) => boolean;
  readonly #subscriptions = new Map<string, Subscribed>();
  #isKnown = false;

  constructor(socket: WebSocket, style: ForeignStyle, log: ForeignLog, isToken: (token?: string) => boolean) {
    this.#socket = socket;
    this.#style = style;
    this.#log = log;
    this.#isToken = isToken;
    const timer = setTimeout(() => socket.close(4408), AUTHENTICATION_TIMEOUT_MS);
    const stopListening = log.listen((change) => this.#tell(change));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      stopListening();
    });
    socket.on('message', (data: Buffer, isBinary) => {
      const message = isBinary ? undefined : readMessage(data);
      if (message === undefined) socket.close(4400);
      else this.#take(message);
      if (this.#isKnown) clearTimeout(timer);
    });
  }

  #take(message: JsonRecord): void {
    const { type, id } = message;
    if (!isWellFormed(message)) {
      if (this.#isKnown) this.#refuse('invalid_message');
      else this.#socket.close(4400);
    } else if (type === 'authenticate') this.#authenticate(message);
    else if (!this.#isKnown) this.#socket.close(4401);
    else if (type === 'ping') this.#send({ type: 'pong', id: id ?? '' });
    else if (type === 'unsubscribe') this.#subscriptions.delete(String(message['subscription_id']));
    else if (type === 'subscribe') this.#subscribe(message);
  }

  #authenticate({ method, token }: JsonRecord): void {
    if (method !== 'shared_token' || !this.#isToken(String(token))) {
      this.#refuse('authentication_failed', undefined, true);
      if (!this.#isKnown) this.#socket.close(4401);
      return;
    }
    this.#isKnown = true;
    const { apiVersion } = this.#style;
    this.#send({
      type: 'authenticated',
      method,
      protocol_version: 'rostack_v1',
      api_version: apiVersion,
      principal_id: 'owner',
    });
  }

  #subscribe(message: JsonRecord): void {
    const id = String(message['subscription_id']);
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
    const read = filter && filterable ? readFilter(JSON.stringify(filter), filterable) : undefined;
    if (typeof read === 'string') return this.#refuse('unsupported_filter', id);
    const definition = JSON.stringify([resource.name, types.toSorted(), filter, encoding, cursor]);
    const before = this.#subscriptions.get(id);
    if (before !== undefined && before.definition !== definition)
      return this.#refuse('subscription_id_conflict', id);
    const from = cursor === undefined ? undefined : /^p(\d+)$/.exec(String(cursor))?.[1];
    if (cursor !== undefined && (from === undefined || Number(from) > this.#log.position))
      return this.#refuse('cursor_unavailable', id);
    const isReplaying = from !== undefined && before === undefined;
    this.#send({ type: 'subscribed', subscription_id: id, event_encoding: encoding, replaying: isReplaying });
    if (before !== undefined) return undefined;
    const made = { definition, resource, filter: read, types, encoding: String(encoding) };
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
      cursor: `p${position}`,
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
  const [needed, optional] = MEMBERS[String(type)] ?? [];
  if (needed === undefined || optional === undefined) return false;
  const names = Object.keys(members);
  if (!needed.every((name) => typeof members[name] === 'string' && members[name] !== '')) return false;
  const { event_types: types, filter, cursor = 'p0' } = members;
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
