import { type CompactEvent, parseServerMessage, type ServerMessage } from 'rostack-core';
import { type ClientOptions, WebSocket } from 'ws';

type Received = ServerMessage | CompactEvent;
type MessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A plain `ws` client that checks and keeps all it receives, in order. */
export class GatewayClient implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly received: Received[] = [];
  /** Text of each frame, as it came. */
  readonly frames: string[] = [];
  readonly closed: Promise<Closed>;
  #taken = 0;
  #onChange: (() => void) | undefined;
  #isClosed = false;
  #autoPong = true;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.#take(data.toString('utf8')));
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.#isClosed = true;
        resolve({ code, reason: reason.toString() });
        this.#onChange?.();
      });
    });
    socket.on('error', () => {});
  }

  /** Connects; rejects with the HTTP status when the upgrade is refused. */
  static async connect(
    url: string,
    options: ClientOptions & { protocols?: string[] } = {},
  ): Promise<GatewayClient> {
    const { protocols = ['rostack.v1'], ...rest } = options;
    const socket = new WebSocket(url, protocols, { perMessageDeflate: false, ...rest });
    const client = new GatewayClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, response) => {
        reject(new Error(`HTTP ${response.statusCode}`));
        socket.terminate();
      });
      socket.once('error', reject);
    });
    return client;
  }

  /** The events received, in order; those in compact encoding are left out. */
  get events(): readonly MessageOf<'event'>[] {
    return this.#receivedOf('event');
  }

  get errors(): readonly MessageOf<'error'>[] {
    return this.#receivedOf('error');
  }

  /** Leaves pings unanswered. */
  stopAnswering(): void {
    this.#autoPong = false;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  async authenticate(token: string, method = 'shared_token'): Promise<MessageOf<'authenticated'>> {
    this.send({ type: 'authenticate', method, token });
    return this.next('authenticated');
  }

  async subscribe(
    subscriptionId: string,
    resource: string,
    members: object = {},
  ): Promise<MessageOf<'subscribed'>> {
    this.send({ type: 'subscribe', subscription_id: subscriptionId, resource, ...members });
    return this.next('subscribed');
  }

  /** The next message that was not taken yet; it has to be of the type. */
  async next<T extends ServerMessage['type']>(type: T): Promise<MessageOf<T>> {
    const message = await this.take();
    if (Array.isArray(message) || message.type !== type) {
      throw new Error(`expected ${type}, received ${JSON.stringify(message)}`);
    }
    return message as MessageOf<T>;
  }

  /** The next message that was not taken yet, whatever it is. */
  async take(): Promise<Received> {
    await this.until(() => this.received.length > this.#taken);
    const message = this.received[this.#taken];
    if (message === undefined)
      throw new Error(`closed (${(await this.closed).code}) while waiting for a message`);
    this.#taken += 1;
    return message;
  }

  /** Waits until something holds, looking again with each message, or until the connection is closed. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }

  #receivedOf<T extends ServerMessage['type']>(type: T): readonly MessageOf<T>[] {
    return this.received.filter(
      (message): message is MessageOf<T> => !Array.isArray(message) && message.type === type,
    );
  }

  #take(text: string): void {
    const message = parseServerMessage(text);
    this.frames.push(text);
    if (!Array.isArray(message) && message.type === 'ping') {
      if (this.#autoPong) this.send({ type: 'pong', id: message.id });
      else this.received.push(message);
    } else {
      this.received.push(message);
    }
    this.#onChange?.();
  }
}
