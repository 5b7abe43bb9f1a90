import { encodeFrame, FrameReader, OPCODE } from './frames.ts';

const ABNORMAL_CLOSURE = 1006;

/** The bytes under a socket. */
export interface Wire {
  send(bytes: Buffer): void;
  end(): void;
}

export interface SimWebSocketHooks {
  /** Connects; false when nobody is there. */
  readonly connect: (
    socket: SimWebSocket,
    url: URL,
    head: Readonly<Record<string, string>>,
  ) => Wire | undefined;
  readonly later: (callback: () => void) => void;
  /** Every message, in both directions, before anybody else sees it. */
  readonly onMessage: (socket: SimWebSocket, from: 'client' | 'server', text: string) => void;
}

/** What rostack-client uses of a browser's WebSocket, over the simulated network. */
export class SimWebSocket extends EventTarget {
  binaryType = 'blob';
  protocol = '';
  readonly bufferedAmount = 0;
  readonly #hooks: SimWebSocketHooks;
  readonly #reader = new FrameReader();
  readonly #wire: Wire | undefined;
  #phase: 'connecting' | 'open' | 'closing' | 'closed' = 'connecting';

  constructor(hooks: SimWebSocketHooks, url: string | URL, protocols: readonly string[]) {
    super();
    this.#hooks = hooks;
    const target = new URL(url);
    this.#wire = hooks.connect(this, target, {
      host: target.host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'c2ltdWxhdGlvbiBvZiBpdA==',
      'sec-websocket-protocol': protocols.join(', '),
    });
    if (this.#wire === undefined) hooks.later(() => this.ended());
  }

  send(text: string): void {
    if (this.#phase !== 'open') return;
    this.#hooks.onMessage(this, 'client', text);
    this.#wire?.send(encodeFrame(OPCODE.text, Buffer.from(text)));
  }

  close(code = 1000): void {
    if (this.#phase === 'closing' || this.#phase === 'closed') return;
    if (this.#phase === 'connecting') {
      this.#phase = 'closed';
      this.#wire?.end();
      return;
    }
    this.#phase = 'closing';
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#wire?.send(encodeFrame(OPCODE.close, payload));
  }

  received(bytes: Buffer): void {
    this.#reader.push(bytes);
    if (this.#phase === 'connecting' && !this.#open()) return;
    for (;;) {
      const frame = this.#phase === 'closed' ? undefined : this.#reader.next();
      if (frame === undefined) return;
      if (frame.opcode === OPCODE.close) this.#closedByServer(frame.payload);
      else if (frame.opcode === OPCODE.text) this.#message(frame.payload.toString('utf8'));
      else throw new Error(`a server sends no frame of opcode ${frame.opcode}`);
    }
  }

  /** The connection under the socket is gone. */
  ended(): void {
    this.#closed(ABNORMAL_CLOSURE, '');
  }

  #open(): boolean {
    const head = this.#reader.takeHead();
    if (head === undefined) return false;
    if (!head.startsWith('HTTP/1.1 101')) {
      this.#wire?.end();
      this.#closed(ABNORMAL_CLOSURE, '');
      return false;
    }
    this.protocol = /^sec-websocket-protocol: (.*)$/im.exec(head)?.[1] ?? '';
    this.#phase = 'open';
    this.dispatchEvent(new Event('open'));
    return true;
  }

  #message(text: string): void {
    this.#hooks.onMessage(this, 'server', text);
    this.dispatchEvent(new MessageEvent('message', { data: text }));
  }

  #closedByServer(payload: Buffer): void {
    if (this.#phase === 'open') this.#wire?.send(encodeFrame(OPCODE.close, payload.subarray(0, 2)));
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
    this.#wire?.end();
    this.#closed(code, payload.toString('utf8', 2));
  }

  #closed(code: number, reason: string): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }
}
