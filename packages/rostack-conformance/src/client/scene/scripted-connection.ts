import {
  type ClientMessageError,
  compileFilter,
  type EventMessage,
  encodeCompactEvent,
  type Filter,
  type FilterError,
  hasCode,
  type JsonObject,
  parseClientMessage,
  parseFilter,
  type ReceivedMessage,
  type ReceivedSubscribe,
  type ServerMessage,
  type ServerMessage20260812,
} from 'rostack-core';
import type { WebSocket } from 'ws';
import { parseJudgedJson } from '../../probe/http/parse-judged-json.ts';
import type { ScriptedHost } from './scripted-host.ts';
import type { ScriptedEvent } from './scripted-log.ts';

/** Something that a client sent over the gateway. */
export interface Heard {
  readonly atMs: number;
  readonly text: string;
  /** The parsed message, without members that it must not have; undefined if it is not a message of a client. */
  readonly message: ReceivedMessage | undefined;
  /** What is wrong with it. */
  readonly fault: string | undefined;
}

/** An upgrade request of the client: when, where, and with which header fields. */
export interface Upgrade {
  readonly number: number;
  readonly atMs: number;
  readonly path: string;
  readonly host: string;
  readonly offered: readonly string[];
}

interface ScriptedSubscription {
  readonly request: ReceivedSubscribe;
  readonly matches: (record: JsonObject | undefined) => boolean;
}

/** One gateway connection of the client under test, answered as the protocol says unless the script takes over. */
export class ScriptedConnection {
  readonly upgrade: Upgrade;
  readonly heard: Heard[] = [];
  readonly subscriptions = new Map<string, ScriptedSubscription>();
  isAuthenticated = false;
  /** Set when it is closed, by either side. */
  closed: { readonly atMs: number; readonly code: number } | undefined;
  readonly #server: ScriptedHost;
  readonly #socket: WebSocket;
  readonly #takes: (connection: ScriptedConnection, message: ReceivedMessage) => boolean | undefined;

  /** @param takes returns whether something else has answered a message */
  constructor(
    server: ScriptedHost,
    socket: WebSocket,
    upgrade: Upgrade,
    takes: (connection: ScriptedConnection, message: ReceivedMessage) => boolean | undefined,
  ) {
    this.#takes = takes;
    this.#server = server;
    this.#socket = socket;
    this.upgrade = upgrade;
    // If a client goes away in the middle of a frame, that is not a fault of the kit.
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data.toString('utf8'), isBinary));
    socket.on('close', (code: number) => {
      this.closed = { atMs: performance.now(), code };
      server.note(`connection ${upgrade.number} is closed with ${code}`);
    });
  }

  /** The messages of a type, in the order in which they came. */
  received<Type extends ReceivedMessage['type']>(
    type: Type,
  ): readonly (Extract<ReceivedMessage, { type: Type }> & { readonly atMs: number })[] {
    return this.heard.flatMap(({ message, atMs }) =>
      message?.type === type ? [{ ...(message as Extract<ReceivedMessage, { type: Type }>), atMs }] : [],
    );
  }

  send(message: ServerMessage | ServerMessage20260812): void {
    this.sendText(JSON.stringify(message));
  }

  /** Sends a text as it is, which may break the protocol on purpose. */
  sendText(text: string): void {
    if (this.closed !== undefined) return;
    this.#server.note(`connection ${this.upgrade.number}: the server sends ${text}`);
    this.#socket.send(text);
  }

  /** Sends a text in fragments of a few bytes, one after the other. */
  async sendInPieces(text: string, pieceBytes: number): Promise<void> {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length && this.closed === undefined; start += pieceBytes) {
      const fin = start + pieceBytes >= bytes.length;
      await new Promise<void>((resolve) => {
        this.#socket.send(bytes.subarray(start, start + pieceBytes), { binary: false, fin }, () => resolve());
      });
    }
  }

  /** Closes it as the protocol says. */
  close(code: number): void {
    this.#socket.close(code);
  }

  /** Drops the connection without a close frame. */
  cut(): void {
    this.#socket.terminate();
  }

  /** Sends an event to every subscription that it matches. */
  deliver(event: ScriptedEvent): void {
    for (const { request, matches } of this.subscriptions.values()) {
      const text = this.eventText(event, request, matches);
      if (text !== undefined) this.sendText(text);
    }
  }

  /** The frame of an event; undefined if it does not match the subscription. */
  eventText(
    event: ScriptedEvent,
    request: ReceivedSubscribe,
    matches: ScriptedSubscription['matches'] = () => true,
    members: object = {},
  ): string | undefined {
    const was = event.before !== undefined && matches(event.before);
    const is = event.after !== undefined && matches(event.after);
    if (!was && !is) return undefined;
    const transition = was && is ? 'updated' : is ? 'created' : 'deleted';
    const type = `thing.${transition}`;
    if (request.event_types !== undefined && !request.event_types.includes(type)) return undefined;
    const message: EventMessage = {
      type: 'event',
      subscription_id: request.subscription_id,
      event_id: event.eventId,
      cursor: this.#server.log.cursorAt(event.position, this.#server.scopeOf(request.filter)),
      occurred_at: new Date(event.position * 1_000).toISOString(),
      event_type: type,
      resource_id: event.resourceId,
      resource_version: `version-${event.position}`,
      ...(this.#server.eventsCarryRecords ? { data: (is ? event.after : event.before) ?? null } : {}),
      ...members,
    };
    return JSON.stringify(request.event_encoding === 'compact-json' ? encodeCompactEvent(message) : message);
  }

  /** Answers as the protocol says. */
  answer(message: ReceivedMessage): void {
    switch (message.type) {
      case 'authenticate':
        return this.#authenticate(message.method, message.token);
      case 'subscribe':
        return this.#subscribe(message);
      case 'unsubscribe':
        this.subscriptions.delete(message.subscription_id);
        return;
      case 'ping':
        return this.send({ type: 'pong', id: message.id });
      default:
    }
  }

  /** Refuses a subscription, or ends it. */
  refuse(subscriptionId: string, code: string, members: object = {}): void {
    const message = { type: 'error', code, message: 'as the script says', subscription_id: subscriptionId };
    this.sendText(JSON.stringify({ ...message, retryable: false, ...members }));
    this.subscriptions.delete(subscriptionId);
  }

  #authenticate(method: 'oauth2' | 'shared_token', token: string): void {
    if (method !== 'shared_token' || token !== this.#server.token) {
      const message = 'the credential is refused';
      this.send({ type: 'error', code: 'authentication_failed', message, retryable: true });
      this.close(4401);
      return;
    }
    this.isAuthenticated = true;
    this.send({
      type: 'authenticated',
      method,
      protocol_version: 'rostack_v1',
      api_version: this.#server.document.implementation.api_version,
      principal_id: 'principal',
    });
  }

  #subscribe(request: ReceivedSubscribe): void {
    const { log } = this.#server;
    const { subscription_id: subscriptionId, cursor, event_encoding: encoding = 'json' } = request;
    const place = cursor === undefined ? undefined : log.placeOf(cursor);
    if (cursor !== undefined && place === undefined) return this.refuse(subscriptionId, 'cursor_unavailable');
    const filter = request.filter === undefined ? undefined : readFilter(request.filter);
    if (filter === 'unsupported_filter') return this.refuse(subscriptionId, filter);
    const predicate = filter && compileFilter(filter);
    const matches = (record: JsonObject | undefined): boolean =>
      record !== undefined && (predicate?.(record) ?? true);
    this.subscriptions.set(subscriptionId, { request, matches });
    this.send({
      type: 'subscribed',
      subscription_id: subscriptionId,
      event_encoding: encoding === 'compact-json' ? 'compact-json' : 'json',
      replaying: place !== undefined,
    });
    if (place === undefined) return;
    for (const event of log.events.slice(Math.max(place.position - this.#server.replaysAgain, 0))) {
      const text = this.eventText(event, request, matches);
      if (text !== undefined) this.sendText(text);
    }
    this.send({ type: 'replay_complete', subscription_id: subscriptionId });
  }

  #receive(text: string, isBinary: boolean): void {
    const heard = this.#read(text, isBinary);
    this.heard.push(heard);
    this.#server.note(`connection ${this.upgrade.number}: the client sends ${text}`);
    const { message } = heard;
    if (message === undefined) return;
    if (this.#takes(this, message) !== true) this.answer(message);
  }

  #read(text: string, isBinary: boolean): Heard {
    const atMs = performance.now();
    if (isBinary) return { atMs, text, message: undefined, fault: 'the frame is binary' };
    try {
      return { atMs, text, message: this.#parse(text), fault: undefined };
    } catch (error) {
      if (!hasCode<ClientMessageError>(error, 'invalid_message')) throw error;
      return { atMs, text, message: this.#knownPart(text), fault: error.message };
    }
  }

  /** The message without its unknown members: these are reported once as a fault, and the rest of the message can still be judged. */
  #knownPart(text: string): ReceivedMessage | undefined {
    try {
      const members = Object.entries(parseJudgedJson(text) as object);
      return this.#parse(JSON.stringify(Object.fromEntries(members.filter(([name]) => MEMBERS.has(name)))));
    } catch {
      return undefined;
    }
  }

  #parse(text: string): ReceivedMessage {
    return parseClientMessage(text, { release: this.#server.release });
  }
}

/** The filter of a client's valid message is never malformed, but it may use what the server does not offer. */
function readFilter(json: JsonObject): Filter | 'unsupported_filter' {
  try {
    return parseFilter(json);
  } catch (error) {
    if (!hasCode<FilterError>(error, 'invalid_filter', 'unsupported_filter')) throw error;
    return 'unsupported_filter';
  }
}

/** The members that messages of a client may have. */
const MEMBERS = new Set(
  'type method token subscription_id resource event_types filter cursor event_encoding id'.split(' '),
);
