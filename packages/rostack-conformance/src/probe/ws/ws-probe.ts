import { connect as connectPlain } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { CLOSE_CODES, type JsonValue, SUBPROTOCOL } from 'rostack-core';
import { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseJudgedJson } from '../http/parse-judged-json.ts';
import { redact } from '../http/redact.ts';
import { type FrameRules, judgeFrame } from './judge-frame.ts';
import { readEvent, readMessage, type SeenEvent, type SeenMessage } from './seen-message.ts';

/** How to connect to the gateway. */
export interface WsProbeOptions extends FrameRules {
  /** URL of the gateway in reachable form. */
  readonly url: URL;
  /** PEM of an authority to trust; the system's by default. */
  readonly ca?: string | undefined;
  /** Secrets to remove from what is recorded. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** @default the subprotocol of the protocol */
  readonly protocols?: readonly string[];
  /** Additional header fields of the upgrade. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether permessage-deflate is offered. @default false */
  readonly compression?: boolean;
  /** Version of the WebSocket protocol. @default 13 */
  readonly version?: 8 | 13;
  /** Port on loopback of a proxy to go through. */
  readonly proxyPort?: number | undefined;
  /** Called with each requirement that a frame of the target keeps or breaks. */
  readonly onJudged: (id: string, broken: string | undefined, probe: WsProbe) => void;
}

/** An upgrade that was answered with a status other than 101. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
  /** The versions of the WebSocket protocol that the target names. */
  readonly versions: string | undefined;
}

/** How a connection has ended. */
export interface WsClosed {
  /** 1006 if the connection was lost without a code. */
  readonly code: number;
  readonly reason: string;
}

const CONNECT_TIMEOUT_MS = 15_000;
/** How many frames are shown for one failure. */
const SHOWN_FRAMES = 40;
const SHOWN_CHARACTERS = 2_000;
const PROTOCOL_CODES: readonly number[] = Object.values(CLOSE_CODES);

/** A connection to the gateway that judges every message and records what was said, without credentials. */
export class WsProbe implements AsyncDisposable {
  /** What the target has sent, in order, including pings. */
  readonly messages: SeenMessage[] = [];
  /** Whether pings of the target are answered. */
  answersPings = true;
  readonly #options: WsProbeOptions;
  readonly #socket: WebSocket;
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #gone: Promise<void>;
  #events: SeenEvent[] = [];
  #closed: WsClosed | undefined;
  #refused: Refusal | undefined;

  private constructor(options: WsProbeOptions) {
    this.#options = options;
    const {
      url,
      ca,
      protocols = [SUBPROTOCOL],
      headers = {},
      compression = false,
      version = 13,
      proxyPort,
    } = options;
    const isSecure = url.protocol === 'wss:';
    const servername = url.hostname;
    this.#socket = new WebSocket(url, [...protocols], {
      headers,
      perMessageDeflate: compression,
      protocolVersion: version,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      ...(ca !== undefined && { ca }),
      ...(proxyPort !== undefined && {
        createConnection: () =>
          isSecure
            ? connectSecure({
                host: '127.0.0.1',
                port: proxyPort,
                servername,
                ...(ca !== undefined && { ca }),
              })
            : connectPlain({ host: '127.0.0.1', port: proxyPort }),
      }),
    });
    this.#gone = new Promise((resolve) => this.#socket.on('close', () => resolve()));
    this.#listen();
  }

  /** Connects; resolves when the upgrade was answered, even if it was refused or failed. */
  static async open(options: WsProbeOptions): Promise<WsProbe> {
    const probe = new WsProbe(options);
    await probe.until(() => (probe.isOpen ? true : undefined), CONNECT_TIMEOUT_MS);
    return probe;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** The answer if its status is not 101; undefined if the upgrade succeeded or nothing answered. */
  get refusal(): Refusal | undefined {
    return this.#refused;
  }

  /** The subprotocol that the target chose; empty without one. */
  get protocol(): string {
    return this.#socket.protocol;
  }

  /** The extensions that were negotiated. */
  get extensions(): string {
    return this.#socket.extensions;
  }

  /** How it has ended; undefined while it is open. */
  get closed(): WsClosed | undefined {
    return this.#closed;
  }

  /** The events, in their order. */
  get events(): readonly SeenEvent[] {
    return this.#events;
  }

  /** The events of one subscription, in their order. */
  eventsOf(subscriptionId: string): SeenEvent[] {
    return this.#events.filter((event) => event.subscriptionId === subscriptionId);
  }

  /** What was said, for a failure. */
  get exchange(): Exchange {
    return {
      method: 'WEBSOCKET',
      url: redact(this.#options.url.href, this.#options.secrets),
      requestHeaders: [],
      isAuthenticated: this.messages.some(({ type }) => type === 'authenticated'),
      status: this.#refused?.status ?? 101,
      responseHeaders: [],
      text: this.#lines.slice(-SHOWN_FRAMES).join('\n'),
      json: undefined,
      durationMs: 0,
    };
  }

  /** Sends a message, or a text or bytes as they are. */
  send(message: object | string | Uint8Array): void {
    if (!this.isOpen) return;
    const isBinary = message instanceof Uint8Array;
    const frame = isBinary || typeof message === 'string' ? message : JSON.stringify(message);
    this.#note('>', isBinary ? `${frame.length} bytes` : String(frame));
    this.#socket.send(frame, { binary: isBinary });
  }

  /**
   * Waits until `find` returns something, calling it again with each message and at the end of the connection.
   * @returns undefined if the deadline passes or the connection ends first
   */
  async until<T>(find: () => T | undefined, deadlineMs: number): Promise<T | undefined> {
    const { clock, signal } = this.#options;
    const stop = new AbortController();
    let isOver = false;
    const deadline = clock.wait(deadlineMs, AbortSignal.any([stop.signal, signal])).then(
      () => {
        isOver = true;
      },
      () => {},
    );
    try {
      for (;;) {
        const found = find();
        if (found !== undefined || isOver || this.#closed !== undefined || signal.aborted) return found;
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#waiting.add(resolve);
        await Promise.race([promise, deadline]);
        this.#waiting.delete(resolve);
      }
    } finally {
      stop.abort();
    }
  }

  /** The first message of one of the types, from an index on; undefined if none comes in time. */
  next(types: readonly string[], from: number, deadlineMs: number): Promise<SeenMessage | undefined> {
    return this.until(
      () => this.messages.find(({ type, index }) => index >= from && types.includes(type)),
      deadlineMs,
    );
  }

  /** Waits for the end of the connection; undefined if it does not come in time. */
  async end(deadlineMs: number): Promise<WsClosed | undefined> {
    await this.until(() => this.#closed, deadlineMs);
    return this.#closed;
  }

  async close(): Promise<void> {
    this.#socket.terminate();
    await this.#gone;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #listen(): void {
    const socket = this.#socket;
    // 'close' reports what went wrong.
    socket.on('error', () => {});
    socket.on('open', () => this.#changed());
    socket.on('unexpected-response', (request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('close', () => {
        this.#refused = {
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          versions: response.headers['sec-websocket-version'],
        };
        this.#note('<', `${this.#refused.status} ${this.#refused.text}`);
        request.destroy();
        this.#end(1006, 'the upgrade was refused');
        socket.terminate();
      });
    });
    socket.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary));
    socket.on('close', (code, reason) => this.#end(code, reason.toString()));
  }

  #take(data: Buffer, isBinary: boolean): void {
    const frame = data.toString();
    this.#note('<', isBinary ? `${data.length} bytes` : frame);
    if (isBinary) this.#options.onJudged('ws.frames', 'A binary frame came.', this);
    const message = readMessage(parsed(frame), this.messages.length, this.#options.clock.nowMs());
    this.messages.push(message);
    if (message.type === 'event') this.#events.push(readEvent(message));
    const { kept, broken } = judgeFrame(frame, message, this.#options);
    for (const id of kept) this.#options.onJudged(id, undefined, this);
    for (const { id, got } of broken) this.#options.onJudged(id, got, this);
    if (message.type === 'ping' && this.answersPings) this.send({ type: 'pong', id: message.members.id });
    this.#changed();
  }

  #end(code: number, reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = { code, reason };
    this.#note('<', `close ${code} ${reason}`);
    if (code >= 4000) {
      const isKnown = PROTOCOL_CODES.includes(code);
      this.#options.onJudged('ws.close-codes', isKnown ? undefined : `It was closed with ${code}.`, this);
    }
    this.#changed();
  }

  #changed(): void {
    for (const look of this.#waiting) look();
  }

  #note(direction: '<' | '>', frame: string): void {
    const shown = frame.length > SHOWN_CHARACTERS ? `${frame.slice(0, SHOWN_CHARACTERS)}...` : frame;
    this.#lines.push(`${direction} ${redact(shown, this.#options.secrets)}`);
    if (this.#lines.length > 4 * SHOWN_FRAMES) this.#lines.splice(0, 2 * SHOWN_FRAMES);
  }
}

function parsed(frame: string): JsonValue | undefined {
  try {
    return parseJudgedJson(frame);
  } catch {
    return undefined;
  }
}
