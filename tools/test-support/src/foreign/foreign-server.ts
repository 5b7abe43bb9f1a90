import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { ForeignConnection, newToken } from './foreign-gateway.ts';
import { ForeignHttp } from './foreign-http.ts';
import { ForeignLog } from './foreign-log.ts';
import { type ForeignResource, type ForeignStyle, foreignIdOf, type JsonRecord } from './foreign-style.ts';

/** A stand-in for an implementation by others, over http on loopback: it shares no code with ours. */
export class ForeignServer implements AsyncDisposable {
  readonly #style: ForeignStyle;
  readonly #server: Server;
  readonly #gateway: WebSocketServer;
  readonly #log: ForeignLog;
  readonly url: string;
  /** Of two principals with the same rights. */
  readonly tokens: readonly [string, string];
  /** Path and query of each request, in order. */
  readonly requests: string[] = [];

  private constructor(style: ForeignStyle, server: Server, tokens: readonly [string, string]) {
    const { port } = server.address() as AddressInfo;
    this.#style = style;
    this.#server = server;
    this.#log = new ForeignLog(style);
    this.url = `http://localhost:${port}`;
    this.tokens = tokens;
    const principalOf = (token?: string): string | undefined =>
      token !== undefined && tokens.includes(token) ? `principal-${tokens.indexOf(token)}` : undefined;
    const http = new ForeignHttp(style, this.#log, `https://localhost:${port}`, principalOf);
    this.#gateway = new WebSocketServer({
      server,
      path: '/gateway',
      handleProtocols: (offered) => (offered.has('rostack.v1') ? 'rostack.v1' : false),
      verifyClient: ({ req }: { readonly req: IncomingMessage }) =>
        /(?:^|,)\s*rostack\.v1\s*(?:,|$)/.test(req.headers['sec-websocket-protocol'] ?? ''),
    });
    this.#gateway.on('connection', (socket) => {
      new ForeignConnection(socket, style, this.#log, principalOf).serve();
    });
    server.on('clientError', (_error, socket) => {
      const [status, body, headers = {}] = http.unreadable();
      const text = JSON.stringify(body);
      const fields = Object.entries({ ...headers, 'Content-Length': text.length, Connection: 'close' });
      const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      if (socket.writable) socket.end(`HTTP/1.1 ${status} Bad Request\r\n${head}\r\n${text}`);
    });
    server.on('request', (request, response) => {
      this.requests.push(request.url ?? '');
      const [status, body, headers = {}] = http.answer(request);
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  static async start(style: ForeignStyle): Promise<ForeignServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new ForeignServer(style, server, [newToken(), newToken()]);
  }

  /** Writes a record, in the place of the one with its id. */
  put(resource: string, record: JsonRecord): void {
    const found = this.#resource(resource);
    this.#log.write(found, foreignIdOf(record, found), record);
  }

  delete(resource: string, id: string): void {
    this.#log.write(this.#resource(resource), id, undefined);
  }

  /** The records of a resource, as they are now. */
  records(resource: string): readonly JsonRecord[] {
    return [...this.#log.all(this.#resource(resource)).values()];
  }

  #resource(name: string): ForeignResource {
    const found = this.#style.resources.find((resource) => resource.name === name);
    if (found === undefined) throw new Error(`there is no resource ${name}`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#gateway.clients) socket.terminate();
    this.#gateway.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
