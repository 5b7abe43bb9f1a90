import { CLOSE_CODES, SUBPROTOCOL } from 'rostack-core/client';
import type { DiscoveryCache } from '../../http/discovery-cache.ts';
import {
  AuthenticationError,
  type ClientError,
  ConnectionLostError,
  GatewayTimeoutError,
  ProtocolViolationError,
  SubscriptionError,
  UntrustedUrlError,
  UsageError,
} from '../../http/error/errors.ts';
import { reasonOf, UPGRADES } from '../../http/error/reason.ts';
import type { ClientContext } from '../context/client-context.ts';
import type { Credential, CredentialUse } from '../credential/credentials.ts';
import type { Platform } from '../platform/platform.ts';
import { sessionDueMs, stepSession } from '../session/session.ts';
import {
  type Instant,
  type SessionEffect,
  type SessionInput,
  type SessionRules,
  type SubscriptionDefinition,
  startSession,
} from '../session/session-state.ts';

const NORMAL_CLOSURE = 1000;
const ABNORMAL_CLOSURE = 1006;
/** How much may wait to be sent: a gateway that pings without reading must not fill the memory. */
const MAX_BUFFERED_BYTES = 1_048_576;

export type ConnectionEffect = Exclude<SessionEffect, { kind: 'close' | 'ask' }>;

/** What a connection reports to its owner: the effects of its session, and its end, once. */
export interface ConnectionOwner {
  onEffect(connection: GatewayConnection, effect: ConnectionEffect): void;
  onClosed(connection: GatewayConnection, error: ClientError): void;
}

export interface GatewayConnectionOptions {
  readonly number: number;
  readonly url: URL;
  readonly credentials: CredentialUse;
  readonly rules: SessionRules;
  readonly platform: Platform;
  readonly owner: ConnectionOwner;
}

/** One socket with its session and its timer. */
export class GatewayConnection {
  readonly number: number;
  #credential: Credential | undefined;
  readonly #options: GatewayConnectionOptions;
  readonly #socket: WebSocket;
  #session;
  #callOffTick: (() => void) | undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;
  #isOver = false;
  #failure: unknown;
  #retryAfterMs: number | undefined;

  constructor(options: GatewayConnectionOptions) {
    this.#options = options;
    this.number = options.number;
    this.#session = startSession(this.#now());
    this.#socket = openSocket(options);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('open', () => this.#onOpen());
    this.#socket.addEventListener('message', (event) => this.#onMessage(event.data));
    this.#socket.addEventListener('close', (event) => this.#onClose(event.code, event.reason));
    // A close event follows every error; only Node's error says why a socket did not open.
    this.#socket.addEventListener('error', (event) => {
      this.#failure = (event as { readonly error?: unknown }).error;
    });
    this.#schedule();
  }

  /** The credential that was sent last; undefined before the first one. */
  get credential(): Credential | undefined {
    return this.#credential;
  }

  subscribe(subscriptionId: string, definition: SubscriptionDefinition, cursor: string | undefined): void {
    this.#step({ kind: 'subscribe', subscriptionId, definition, cursor, at: this.#now() });
  }

  unsubscribe(subscriptionId: string): void {
    this.#step({ kind: 'unsubscribe', subscriptionId, at: this.#now() });
  }

  /** Pings a gateway that was silent for so long: without an answer within the heartbeat's timeout the connection is lost. */
  probe(quietForMs: number): void {
    const at = this.#now();
    // The timer of a page in the background may be a minute late.
    this.#step({ kind: 'tick', at });
    if (at.monotonicMs < this.#session.heartbeat.receivedAtMs + quietForMs) return;
    this.#step({ kind: 'probe', at });
  }

  /** Closes for good; nothing more is reported to the owner. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#callOffTick?.();
    this.#socket.close(NORMAL_CLOSURE);
  }

  #onOpen(): void {
    if (this.#isOver) return;
    if (this.#socket.protocol === SUBPROTOCOL) {
      this.#step({ kind: 'opened', at: this.#now() });
    } else {
      this.#end(
        CLOSE_CODES.invalidMessage,
        new ProtocolViolationError(`the gateway does not speak ${SUBPROTOCOL}`),
      );
    }
  }

  async #ask(): Promise<void> {
    try {
      const credential = await this.#options.credentials.next(this.#credential);
      if (this.#isOver) return;
      this.#credential = credential;
      this.#step({ kind: 'credential', credential, at: this.#now() });
    } catch (error) {
      this.#step({ kind: 'no_credential', error: error as ClientError, at: this.#now() });
    }
  }

  #onMessage(data: unknown): void {
    if (this.#isOver) return;
    if (typeof data === 'string') this.#step({ kind: 'message', text: data, at: this.#now() });
    else this.#end(CLOSE_CODES.invalidMessage, new ProtocolViolationError('a frame is not text'));
  }

  #onClose(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#callOffTick?.();
    const error =
      code === CLOSE_CODES.authentication && this.#credential !== undefined
        ? new AuthenticationError(`the gateway ended the connection: ${reason.slice(0, 200)}`)
        : new ConnectionLostError(
            code || ABNORMAL_CLOSURE,
            reason || this.#whyNotOpened(),
            this.#retryAfterMs,
          );
    this.#options.owner.onClosed(this, error);
  }

  /** Empty for a socket that was open. */
  #whyNotOpened(): string {
    if (this.#session.phase !== 'connecting') return '';
    return `no WebSocket was opened${this.#failure === undefined ? '' : `, ${reasonOf(this.#failure)}`}: ${UPGRADES}`;
  }

  /** Called by sockets and timers, where an exception would end the process: so it only ends the connection. */
  #step(input: SessionInput): void {
    try {
      this.#tryStep(input);
    } catch (error) {
      if (this.#isOver) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#end(CLOSE_CODES.transient, new ConnectionLostError(ABNORMAL_CLOSURE, reason));
    }
  }

  #tryStep(input: SessionInput): void {
    if (this.#isOver) return;
    const { state, messages, effects } = stepSession(this.#options.rules, this.#session, input);
    this.#session = state;
    for (const message of messages) this.#socket.send(JSON.stringify(message));
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      this.#end(CLOSE_CODES.timeout, new GatewayTimeoutError('the gateway does not read what it asks for'));
      return;
    }
    for (const effect of effects) {
      if (effect.kind === 'close') {
        this.#end(effect.code, effect.error);
        return;
      }
      if (effect.kind === 'ask') {
        void this.#ask();
        continue;
      }
      if (effect.kind === 'complaint' && effect.error instanceof SubscriptionError) {
        this.#retryAfterMs = effect.error.retryAfterMs;
      }
      this.#options.owner.onEffect(this, effect);
      if (this.#isOver) return;
    }
    this.#schedule();
  }

  /** The owner is notified at once: a socket whose other end hangs may take long to close. */
  #end(code: number, error: ClientError): void {
    this.#isOver = true;
    this.#callOffTick?.();
    this.#socket.close(code);
    this.#options.owner.onClosed(this, error);
  }

  /** One timer: it is moved only when it would fire too late; when it fires too early, it is set again. */
  #schedule(): void {
    if (this.#isOver) return;
    const dueMs = sessionDueMs(this.#options.rules, this.#session);
    if (dueMs >= this.#timerDueMs) return;
    this.#callOffTick?.();
    this.#timerDueMs = dueMs;
    const { clock } = this.#options.platform;
    this.#callOffTick = clock.after(dueMs - clock.monotonicMs(), () => {
      this.#timerDueMs = Number.POSITIVE_INFINITY;
      this.#step({ kind: 'tick', at: this.#now() });
    });
  }

  #now(): Instant {
    const { clock } = this.#options.platform;
    return { monotonicMs: clock.monotonicMs(), wallMs: clock.wallMs() };
  }
}

function openSocket({ platform, url }: GatewayConnectionOptions): WebSocket {
  const { WebSocket } = platform as { readonly WebSocket?: typeof globalThis.WebSocket };
  if (WebSocket === undefined) {
    throw new UsageError('this platform has no WebSocket: pass one as the option WebSocket');
  }
  try {
    return new WebSocket(url, [SUBPROTOCOL]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConnectionLostError(ABNORMAL_CLOSURE, `no socket: ${reason}`);
  }
}

/** What a connection is made for. */
export interface ConnectRequest {
  /** The connection's number in its link. */
  readonly number: number;
  /** Where the server asked the client to connect. */
  readonly gatewayUrl: string | undefined;
  readonly credentials: CredentialUse;
  readonly owner: ConnectionOwner;
  /** Whether the connection is still wanted, asked before the socket is opened. */
  readonly isWanted: () => boolean;
  /** Called when `gatewayUrl` is on a host that is not trusted; discovery then says where to connect. */
  readonly onUntrusted: (error: ClientError) => void;
}

/** The most that a server may advertise, in milliseconds. */
const MAX_HEARTBEAT_MS = 300_000;

type ConnectContext = Pick<ClientContext, 'platform' | 'policy' | 'limits'>;

/**
 * Opens a connection as discovery describes it.
 * @returns undefined when the connection is not wanted any more
 * @throws ClientError
 */
export async function openConnection(
  context: ConnectContext,
  discovery: DiscoveryCache,
  { isWanted, ...request }: ConnectRequest,
): Promise<GatewayConnection | undefined> {
  const { platform, policy, limits } = context;
  const { document, release } = await discovery.get();
  const url = givenUrl(context, request) ?? policy.gatewayUrl(document.endpoints.websocket);
  if (!isWanted()) return undefined;
  const { websocket } = document.capabilities;
  return new GatewayConnection({
    ...request,
    url,
    platform,
    rules: {
      apiVersion: document.implementation.api_version,
      release,
      heartbeatIntervalMs: Math.min(websocket.heartbeat_interval_ms, MAX_HEARTBEAT_MS),
      heartbeatTimeoutMs: Math.min(websocket.heartbeat_timeout_ms, MAX_HEARTBEAT_MS),
      answerTimeoutMs: limits.answerTimeoutMs,
      maxFrameLength: limits.maxFrameLength,
      canRenew: request.credentials.canRenew,
    },
  });
}

function givenUrl(
  { policy }: ConnectContext,
  { gatewayUrl, onUntrusted }: Pick<ConnectRequest, 'gatewayUrl' | 'onUntrusted'>,
): URL | undefined {
  if (gatewayUrl === undefined) return undefined;
  try {
    return policy.gatewayUrl(gatewayUrl);
  } catch (error) {
    if (!(error instanceof UntrustedUrlError)) throw error;
    onUntrusted(error);
    return undefined;
  }
}
