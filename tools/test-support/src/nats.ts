import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describeWhere } from './describe-where.ts';

/** `host:port` of the NATS server of the tests. */
export const NATS_SERVER = process.env['TEST_NATS_SERVER'] ?? '127.0.0.1:4222';

/** The same as a URL. */
export const NATS_URL = new URL(`nats://${NATS_SERVER}`);

/** A subject for one test. */
export const randomSubject = (): string => `test.${randomBytes(8).toString('hex')}`;

const WITH_STATUS = { verbose: false, pedantic: false, headers: true, no_responders: true };

/** A connection of the plain protocol, and what the server has sent on it so far. */
class NatsConnection implements Disposable {
  received = '';
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.received += text;
    });
  }

  static async open(): Promise<NatsConnection> {
    const socket = connect({ host: NATS_URL.hostname, port: Number(NATS_URL.port) });
    await once(socket, 'connect', { signal: AbortSignal.timeout(20_000) });
    socket.write(`CONNECT ${JSON.stringify(WITH_STATUS)}\r\n`);
    return new NatsConnection(socket);
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.received)) await once(this.#socket, 'data');
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Whether anybody listens to a subject: the server answers a request that nobody gets. */
export async function hasListener(subject: string): Promise<boolean> {
  using nats = await NatsConnection.open();
  const inbox = randomSubject();
  nats.send(`SUB ${inbox} 1\r\nPUB ${subject} ${inbox} 0\r\n\r\nPING\r\n`);
  await nats.until(/^PONG\r\n/m);
  return !nats.received.includes('NATS/1.0 503');
}

/** Listens to a subject while something is done, until a message has come that matches. */
export async function heardDuring(
  subject: string,
  work: () => Promise<void>,
  pattern: RegExp,
): Promise<void> {
  using nats = await NatsConnection.open();
  nats.send(`SUB ${subject} 1\r\nPING\r\n`);
  await nats.until(/^PONG\r\n/m);
  await work();
  await nats.until(pattern);
}

const nats = await describeWhere(`NATS at ${NATS_SERVER} (TEST_NATS_SERVER)`, async () => {
  using _ = await NatsConnection.open();
});

/** Whether the server of the tests answers. Where `CI` is set it has to. */
export const hasNats = nats.isThere;

/** A suite that needs NATS. Where none answers it is skipped, which is said on standard error; with `CI` set that fails. */
export const describeNats = nats.describe;
