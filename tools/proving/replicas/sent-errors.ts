import { channel } from 'node:diagnostics_channel';
import { placeOf } from '../follows/history.ts';
import { show } from './histories.ts';

interface Opened {
  readonly websocket: WebSocket;
  readonly address: { readonly port: number };
}

interface Message {
  readonly type?: string;
  readonly subscription_id?: string;
  readonly cursor?: string;
  readonly code?: string;
}

const localPorts = new WeakMap<WebSocket, number>();
channel('undici:websocket:open').subscribe((message) => {
  const { websocket, address } = message as Opened;
  localPorts.set(websocket, address.port);
});

/** What gateways answered to the subscriptions of one client. */
interface Taken {
  /** One sentence for each error. */
  readonly texts: readonly string[];
  /** When a cursor was refused last, on the monotonic clock; undefined: none was. */
  readonly refusedAtMs: number | undefined;
}

/** Keeps what gateways answered to the subscriptions of one client that they refused or ended, for people. */
export class SentErrors {
  /** To be given to the client. */
  readonly WebSocket: typeof globalThis.WebSocket;
  #texts: string[] = [];
  #refusedAtMs: number | undefined;

  /** @param gatewayAt names the gateway that a connection from a local port leads to */
  constructor(gatewayAt: (localPort: number) => string) {
    const note = (code: string, from: string) => {
      if (code.startsWith('cursor_')) this.#refusedAtMs = performance.now();
      this.#texts.push(`${code} of ${from}, ${new Date().toISOString()}`);
    };
    this.WebSocket = class extends WebSocket {
      readonly #asked = new Map<string, string>();

      constructor(...options: ConstructorParameters<typeof WebSocket>) {
        super(...options);
        let gateway: string | undefined;
        this.addEventListener('message', ({ data }) => {
          gateway ??= gatewayAt(localPorts.get(this) ?? 0);
          const { type, subscription_id: id, code } = read(data);
          if (type !== 'error' || id === undefined || code === undefined) return;
          note(code, `${gateway} at ${this.#asked.get(id)}`);
        });
      }

      override send(data: Parameters<WebSocket['send']>[0]): void {
        const { type, subscription_id: id, cursor } = read(data);
        if (type === 'subscribe' && id !== undefined) {
          this.#asked.set(id, cursor === undefined ? 'no cursor' : show(placeOf(cursor)));
        }
        super.send(data);
      }
    };
  }

  /** What came since the last call. */
  take(): Taken {
    const taken = { texts: this.#texts, refusedAtMs: this.#refusedAtMs };
    this.#texts = [];
    this.#refusedAtMs = undefined;
    return taken;
  }
}

/** Events in the compact encoding are arrays, which have no type. */
function read(data: unknown): Message {
  return typeof data === 'string' ? (JSON.parse(data) as Message) : {};
}
