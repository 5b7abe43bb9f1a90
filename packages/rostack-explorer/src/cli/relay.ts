import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { type Duplex, pipeline } from 'node:stream';
import { createUriMatcher, type UriMatcher } from 'rostack-core';
import { RELAY_FAILURE_HEADER } from '../description/explorer-data.ts';
import { reasonOf } from './fetch-json.ts';
import { askedUrl, type OpenedImplementation } from './read-implementation.ts';

const SENT_HEADERS = ['accept', 'authorization', 'if-none-match'];
const RETURNED_HEADERS = ['etag', 'retry-after', 'x-rostack-api-version'];
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
const HANDSHAKE_HEADER = /^sec-websocket-(?:key|version|protocol|extensions|accept)$/;

/** Passes requests of the page on to the endpoints that the implementation advertises, and to no others; keeps and logs nothing. */
export class Relay {
  readonly #document: string;
  readonly #collections: ReadonlySet<string>;
  readonly #items: readonly UriMatcher[];
  readonly #gatewayOrigin: string;

  constructor(opened: OpenedImplementation) {
    const { endpoints, resources } = opened.discovery;
    this.#document = opened.url.href;
    this.#collections = new Set(
      resources.map((one) => withoutQuery(new URL(askedUrl(one.collection_url, opened)))),
    );
    this.#items = resources.map((one) => createUriMatcher(askedUrl(one.item_url_template, opened)));
    this.#gatewayOrigin = httpUrl(new URL(askedUrl(endpoints.websocket, opened))).origin;
  }

  /** Answers a request of the page for the URL; 403 if the URL is not advertised. */
  async answer(request: Request, target: string): Promise<Response> {
    const url = URL.parse(target);
    if (url === null || !this.#mayRead(url)) return new Response(null, { status: 403 });
    let upstream: Response;
    try {
      upstream = await fetch(url, {
        headers: pick(request.headers, SENT_HEADERS),
        redirect: 'manual',
        signal: request.signal,
      });
    } catch (error) {
      return new Response(reasonOf(error), { status: 502, headers: { [RELAY_FAILURE_HEADER]: '1' } });
    }
    const headers = pick(upstream.headers, RETURNED_HEADERS);
    const type = upstream.headers.get('content-type') ?? '';
    // Nothing from elsewhere may act as a page of this origin.
    headers.set('content-type', JSON_TYPE.test(type) ? type : 'application/octet-stream');
    headers.set('x-content-type-options', 'nosniff');
    headers.set('content-security-policy', "default-src 'none'; sandbox");
    headers.set('cache-control', 'no-store');
    return new Response(upstream.body, { status: upstream.status, headers });
  }

  /** Connects a WebSocket of the page to the gateway, byte by byte. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: string): void {
    const url = URL.parse(target);
    if (url === null || !/^wss?:$/.test(url.protocol) || httpUrl(url).origin !== this.#gatewayOrigin) {
      refuseUpgrade(socket, 403);
      return;
    }
    const ask = url.protocol === 'wss:' ? requestSecure : requestPlain;
    const asked = ask(httpUrl(url), {
      agent: false,
      headers: { ...handshake(request), connection: 'Upgrade', upgrade: 'websocket' },
    });
    socket.on('error', () => asked.destroy());
    socket.on('close', () => asked.destroy());
    asked.on('error', () => socket.destroy());
    asked.on('response', (answer) => {
      answer.destroy();
      refuseUpgrade(socket, answer.statusCode ?? 502);
    });
    asked.on('upgrade', (answer, upstream, first) => {
      const lines = Object.entries(handshake(answer)).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${lines.join('')}\r\n`,
      );
      socket.write(first);
      upstream.write(head);
      // When one side ends, so does the other.
      pipeline(socket, upstream, () => upstream.destroy());
      pipeline(upstream, socket, () => socket.destroy());
    });
    asked.end();
  }

  #mayRead(url: URL): boolean {
    return (
      url.href === this.#document ||
      this.#collections.has(withoutQuery(url)) ||
      this.#items.some((match) => match(url.href) !== undefined)
    );
  }
}

/** Refuses to make a WebSocket. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

const withoutQuery = ({ origin, pathname }: URL): string => origin + pathname;

const httpUrl = (url: URL): URL => new URL(url.href.replace(/^ws/, 'http'));

const pick = (headers: Headers, names: readonly string[]): Headers =>
  new Headers([...headers].filter(([name]) => names.includes(name)));

const handshake = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      HANDSHAKE_HEADER.test(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
