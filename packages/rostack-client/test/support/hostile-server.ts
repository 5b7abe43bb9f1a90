import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AnyDiscoveryDocument, ServerMessage } from 'rostack-core';
import { type WebSocket, WebSocketServer } from 'ws';
import { defineObservatory } from './observatory.ts';
import { certificate } from './trust.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

export interface HostileServerOptions {
  /** What is served as discovery document. @default an honest one */
  readonly discovery?: (honest: AnyDiscoveryDocument) => unknown;
  /** Answers the request for it instead. */
  readonly answerDiscovery?: Answer;
  /** Answers every other request. @default an empty collection */
  readonly answer?: Answer;
  /** Talks to each gateway connection. @default takes nothing and says nothing */
  readonly talk?: (conversation: Conversation) => void;
  /** @default the subprotocol */
  readonly subprotocol?: string | false;
}

export interface HostileRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  /** When it came, by the monotonic clock. */
  readonly atMs: number;
}

/** One gateway connection from the liar's side. */
export class Conversation {
  readonly socket: WebSocket;
  /** Of the server, from 1. */
  readonly number: number;
  readonly path: string;
  /** Of the upgrade. */
  readonly headers: IncomingHttpHeaders;
  /** When it began, by the monotonic clock. */
  readonly atMs = performance.now();
  readonly received: Record<string, unknown>[] = [];

  constructor(socket: WebSocket, number: number, { url = '', headers }: IncomingMessage) {
    this.socket = socket;
    this.number = number;
    this.path = url;
    this.headers = headers;
  }

  send(message: ServerMessage | object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  on(type: string, react: (message: Record<string, unknown>) => void): this {
    this.socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
      if (message.type === type) react(message);
    });
    return this;
  }

  /** Answers `authenticate` as an honest server does. */
  authenticates(members: object = {}): this {
    return this.on('authenticate', () =>
      this.send({
        type: 'authenticated',
        method: 'shared_token',
        protocol_version: 'rostack_v1',
        api_version: '1',
        principal_id: 'p',
        ...members,
      }),
    );
  }

  /** Answers `subscribe` as an honest server does, with nothing to replay. */
  subscribes(after: (subscriptionId: string) => void = () => {}): this {
    return this.on('subscribe', ({ subscription_id, event_encoding, cursor }) => {
      const replaying = cursor !== undefined;
      this.send({ type: 'subscribed', subscription_id, event_encoding, replaying });
      if (replaying) this.send({ type: 'replay_complete', subscription_id });
      after(subscription_id as string);
    });
  }

  /** An event in the encoding `json`. */
  jsonEvent(subscriptionId: string): void {
    this.send({
      type: 'event',
      subscription_id: subscriptionId,
      event_id: 'e1',
      cursor: 'c1',
      occurred_at: '2026-08-14T00:00:00Z',
      event_type: 'station.created',
      resource_id: 'a',
      resource_version: '1',
    });
  }

  /** Refuses or ends a subscription. */
  refuse(subscriptionId: unknown, code: string, members: object = {}): void {
    this.send({
      type: 'error',
      code,
      message: 'no',
      retryable: false,
      subscription_id: subscriptionId,
      ...members,
    });
  }

  /** A compact event. */
  event(
    subscriptionId: string,
    number: number,
    data: object = { id: `r${number}` },
    eventType = 'station.created',
  ): void {
    this.send(
      JSON.stringify([
        'e',
        subscriptionId,
        `e${number}`,
        `c${number}`,
        number,
        eventType,
        `r${number}`,
        '1',
        null,
        data,
      ]),
    );
  }
}

/** A server that lies: only the certificate is honest. */
export class HostileServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #gateway: WebSocketServer;
  readonly url: string;
  /** Everything asked over HTTP, with the credentials that came along. */
  readonly requests: HostileRequest[] = [];
  readonly conversations: Conversation[] = [];

  private constructor(server: Server, gateway: WebSocketServer) {
    this.#server = server;
    this.#gateway = gateway;
    this.url = `https://localhost:${(server.address() as AddressInfo).port}`;
  }

  static async start(options: HostileServerOptions = {}): Promise<HostileServer> {
    const server = createServer(await certificate);
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const { subprotocol = 'rostack.v1' } = options;
    const gateway = new WebSocketServer({ server, handleProtocols: () => subprotocol });
    const hostile = new HostileServer(server, gateway);
    const { discovery } = defineObservatory(hostile.url);
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '', hostile.url);
      const { authorization } = request.headers;
      hostile.requests.push({ path: url.pathname, authorization, atMs: performance.now() });
      if (url.pathname === '/.well-known/rostack' && options.answerDiscovery === undefined) {
        json(response, 200, options.discovery?.(structuredClone(discovery)) ?? discovery);
      } else if (url.pathname === '/.well-known/rostack') {
        options.answerDiscovery?.(request, response, url);
      } else if (options.answer !== undefined) {
        options.answer(request, response, url);
      } else {
        json(response, 200, { items: [], page: { next_cursor: null, has_more: false, event_cursor: 'c0' } });
      }
    });
    gateway.on('connection', (socket, request) => {
      socket.on('error', () => {});
      const conversation = new Conversation(socket, hostile.conversations.length + 1, request);
      hostile.conversations.push(conversation);
      socket.on('message', (data: Buffer) =>
        conversation.received.push(JSON.parse(data.toString('utf8')) as Record<string, unknown>),
      );
      options.talk?.(conversation);
    });
    return hostile;
  }

  /** Answers some requests one after the other: whatever was on its way before has come. */
  async settle(): Promise<void> {
    for (let request = 0; request < 5; request += 1) {
      const answer = await fetch(`${this.url}/.well-known/rostack`);
      await answer.arrayBuffer();
    }
  }

  /** An honest document, but for what the gateway says of itself. */
  discovery(
    websocket: Partial<AnyDiscoveryDocument['capabilities']['websocket']> = {},
  ): AnyDiscoveryDocument {
    const { discovery } = defineObservatory(this.url);
    const capabilities = {
      ...discovery.capabilities,
      websocket: { ...discovery.capabilities.websocket, ...websocket },
    };
    return { ...discovery, capabilities };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#gateway.clients) socket.terminate();
    this.#gateway.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value));
}
