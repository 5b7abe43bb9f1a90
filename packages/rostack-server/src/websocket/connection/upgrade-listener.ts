import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { AnyDiscoveryDocument } from 'rostack-core';
import { type ServerOptions, WebSocketServer } from 'ws';
import { comparedHost } from '../../http/request/hosts.ts';
import {
  answerAsRequest,
  faultOfRequest,
  offersWebSocket,
  pathOf,
} from '../../http/request/node-requests.ts';
import { endWithRefusal, type Refusal } from '../../http/request/refusal.ts';
import type { WebSocketGatewayOptions } from '../options/gateway-options.ts';
import type { GuardedCallbacks } from '../options/guarded-callbacks.ts';
import type { WebSocketLimits } from '../options/websocket-limits.ts';
import type { Admission, AdmissionRefusal } from './admission.ts';
import { checkUpgrade, deflateUpToBytes, RostackSocket, SUBPROTOCOL } from './rostack-socket.ts';

/** Options of `ws` 8.23 that its types do not know yet. */
interface NewerServerOptions {
  readonly maxFragments: number;
  readonly closeTimeout: number;
}

const CLOSE_TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;

/** A connection that was accepted. */
export interface AcceptedUpgrade {
  readonly websocket: RostackSocket;
  /** The stream under `websocket`. */
  readonly socket: Duplex;
  readonly address: string;
  /** See `OutboxOptions`. */
  readonly deflateUpToBytes: number;
}

export interface UpgradeListenerOptions
  extends Pick<WebSocketGatewayOptions, 'strippedPathPrefix' | 'hosts' | 'allowedOrigins'> {
  readonly discovery: AnyDiscoveryDocument;
  readonly server: Server | SecureServer;
  readonly limits: WebSocketLimits;
  readonly callbacks: GuardedCallbacks;
  readonly admission: Admission;
  /** Takes an accepted connection and must give its place back to `admission` in the end. */
  readonly onAccepted: (accepted: AcceptedUpgrade) => void;
}

/** Accepts or refuses the upgrades to the gateway's path. */
export class UpgradeListener implements Disposable {
  readonly #options: UpgradeListenerOptions;
  readonly #path: string;
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #websockets: WebSocketServer;
  readonly #listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    this.#onUpgrade(request, socket, head);
  /** The header lines of the answer to each upgrade, which `ws` shows nowhere else. */
  readonly #answers = new WeakMap<IncomingMessage, readonly string[]>();
  #isDraining = false;

  constructor(options: UpgradeListenerOptions) {
    this.#options = options;
    const { pathname, host } = new URL(options.discovery.endpoints.websocket);
    this.#path = pathname;
    const { hosts = [host] } = options;
    this.#hosts = hosts === 'any' ? undefined : new Set(hosts.map(comparedHost));
    this.#websockets = createWebSocketServer(options.discovery, options.limits);
    this.#websockets.on('headers', (headers, request) => this.#answers.set(request, headers));
    options.server.on('upgrade', this.#listener);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Refuses every upgrade from now on. */
  drain(): void {
    this.#isDraining = true;
  }

  [Symbol.dispose](): void {
    this.#isDraining = true;
    this.#options.server.off('upgrade', this.#listener);
    this.#websockets.close();
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { server, callbacks, admission, strippedPathPrefix = '', allowedOrigins = '*' } = this.#options;
    const isTakenByAnother = server.listenerCount('upgrade') > 1;
    if (!offersWebSocket(request)) {
      if (!isTakenByAnother) answerAsRequest(server, request, socket);
      return;
    }
    if (strippedPathPrefix + pathOf(request) !== this.#path) {
      if (!isTakenByAnother) this.#refuse(socket, { status: 404, reason: 'There is no gateway here.' });
      return;
    }
    let address: string;
    let refusal: Refusal | undefined;
    try {
      address = callbacks.clientAddress(request);
      refusal = callbacks.refuse(request) ?? faultOfRequest(request);
    } catch (error) {
      callbacks.hooks.onAlarm?.({ kind: 'upgrade_failed', error });
      this.#refuse(socket, { status: 500, reason: 'Something failed here.' });
      return;
    }
    refusal ??= checkUpgrade(request, this.#hosts, allowedOrigins) ?? this.#refusalOfDraining();
    if (refusal !== undefined) {
      this.#refuse(socket, refusal);
      return;
    }
    const admitted = admission.admit(address);
    if (!(admitted instanceof Promise)) {
      this.#decide(request, socket, head, address, admitted);
      return;
    }
    // Node has removed its own listener, and an error without one would end the process.
    const ignore = (): void => {};
    socket.on('error', ignore);
    void admitted.then((known) => {
      socket.off('error', ignore);
      this.#decide(request, socket, head, address, known);
    });
  }

  /** Continues once it is known whether there is a place. */
  #decide(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    address: string,
    admissionRefusal: AdmissionRefusal | undefined,
  ): void {
    const { admission } = this.#options;
    if (admissionRefusal !== undefined) {
      const status = admissionRefusal === 'too many connections' ? 503 : 429;
      const reason = `There are ${admissionRefusal}.`;
      this.#refuse(socket, { status, reason, retryAfterSeconds: RETRY_AFTER_SECONDS });
      return;
    }
    const dismiss = (): void => admission.dismiss(address);
    // While waiting for the place, a drain may have begun or the client may have gone.
    const refusal = this.#refusalOfDraining();
    if (refusal !== undefined || socket.destroyed) {
      dismiss();
      if (refusal !== undefined) this.#refuse(socket, refusal);
      return;
    }
    socket.once('close', dismiss);
    this.#websockets.handleUpgrade(request, socket, head, (websocket) => {
      socket.off('close', dismiss);
      this.#options.onAccepted({
        websocket: websocket as RostackSocket,
        socket,
        address,
        deflateUpToBytes: deflateUpToBytes(this.#answers.get(request) ?? []),
      });
    });
  }

  #refusalOfDraining(): Refusal | undefined {
    if (!this.#isDraining) return undefined;
    return {
      status: 503,
      reason: 'This gateway is going away.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    };
  }

  #refuse(socket: Duplex, refusal: Refusal): void {
    this.#options.callbacks.hooks.onUpgradeRefused?.(refusal.status, refusal.reason);
    endWithRefusal(socket, refusal);
  }
}

function createWebSocketServer(discovery: AnyDiscoveryDocument, limits: WebSocketLimits): WebSocketServer {
  const options: ServerOptions<typeof RostackSocket> & NewerServerOptions = {
    noServer: true,
    clientTracking: false,
    WebSocket: RostackSocket,
    maxPayload: limits.maxMessageBytes,
    maxFragments: limits.maxFragments,
    closeTimeout: CLOSE_TIMEOUT_MS,
    handleProtocols: () => SUBPROTOCOL,
    perMessageDeflate: discovery.capabilities.websocket.extensions.includes('permessage-deflate') && {
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
    },
  };
  return new WebSocketServer(options);
}
