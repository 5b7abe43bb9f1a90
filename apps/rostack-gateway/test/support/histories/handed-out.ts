import { WebSocket } from 'ws';
import type { Gateway } from '../../../src/serving/gateway/gateway.ts';
import { bearing } from '../get.ts';

export const ADMIN_TOKEN = 'admin-token-0123456789abcdef0123456789';

const LIST = '/api/stations?limit=1';
const MAX_WAIT_MS = 20_000;

interface Page {
  readonly page: { readonly event_cursor: string; readonly next_cursor: string };
}

/** What a gateway has told a client, with which the client may come again. */
export interface HandedOut {
  readonly eventCursor: string;
  readonly pageCursor: string;
  readonly listEtag: string;
  readonly pageEtag: string;
  readonly itemEtag: string;
  readonly version: string;
}

/** What becomes of it when it is presented. */
export interface Answers {
  readonly events: unknown;
  readonly page: string;
  /** Statuses under `If-None-Match`. */
  readonly unchanged: readonly [list: number, page: number, item: number];
  /** Of changes that expect the version. */
  readonly changes: readonly unknown[];
  /** Status of a PUT with `If-Match`. */
  readonly put: number;
}

/** The answers to what is of a history that is no more. */
export const REFUSED: Answers = {
  events: 'cursor_unavailable',
  page: '400 invalid-cursor',
  unchanged: [200, 400, 200],
  changes: ['version_conflict', 'version_conflict'],
  put: 412,
};

/** A subscription, as far as it has come. */
export class Following {
  readonly ids: unknown[] = [];
  /** The code of its error, or of the connection's end. */
  end: unknown;
  readonly #moved = new Set<() => void>();

  take(message: Readonly<Record<string, unknown>>): void {
    if (message['type'] === 'event') this.ids.push(message['resource_id']);
    if (message['type'] === 'error') this.end ??= message['code'];
    for (const look of this.#moved) look();
  }

  close(code: number): void {
    this.take({ type: 'error', code });
  }

  /** Waits until it has given so many events, or has ended; returns the ids or how it ended. */
  async events(count: number): Promise<unknown> {
    await new Promise<void>((resolve) => {
      const look = () => {
        if (this.end !== undefined || this.ids.length >= count) resolve();
      };
      this.#moved.add(look);
      setTimeout(resolve, MAX_WAIT_MS).unref();
      look();
    });
    return this.end ?? this.ids;
  }

  ended(): Promise<unknown> {
    return this.events(Number.POSITIVE_INFINITY);
  }
}

/** A client of a gateway in this process. */
export class Consumer {
  readonly gateway: Gateway;
  readonly #token: string;
  readonly #ca: string;

  /** @param ca PEM of the gateway's development certificate */
  constructor(gateway: Gateway, token: string, ca: string) {
    this.gateway = gateway;
    this.#token = token;
    this.#ca = ca;
  }

  /** Reads everything twice, so that it is in the gateway's memory. */
  async takeAll(): Promise<HandedOut> {
    await this.#take();
    return this.#take();
  }

  /** The answer to a page cursor: its status, and the problem that it names. */
  async pageAfter(cursor: string): Promise<string> {
    return outcomeOf(await this.#get(`${LIST}&cursor=${cursor}`));
  }

  /** Comes again with what it was given. */
  async present(handedOut: HandedOut): Promise<Answers> {
    const { eventCursor, pageCursor, listEtag, pageEtag, itemEtag, version } = handedOut;
    const following = await this.follow(eventCursor);
    const next = `${LIST}&cursor=${pageCursor}`;
    const statusOf = async (path: string, etag: string) =>
      (await this.#get(path, { 'If-None-Match': etag })).status;
    const expected = { resource: 'stations', expectedVersion: version } as const;
    const changes = [
      { ...expected, op: 'put', record: { id: 'a', height: -1 } },
      { ...expected, op: 'delete', id: 'a' },
    ] as const;
    return {
      events: await following.ended(),
      page: await this.pageAfter(pageCursor),
      unchanged: [
        await statusOf(LIST, listEtag),
        await statusOf(next, pageEtag),
        await statusOf('/api/stations/a', itemEtag),
      ],
      changes: await Promise.all(
        changes.map((change) => this.gateway.store.apply([change]).catch(({ code }) => code as unknown)),
      ),
      put: await this.#put(itemEtag),
    };
  }

  /** Follows stations from a cursor, or from now on; resolves once it is subscribed, or refused. */
  async follow(cursor?: string): Promise<Following> {
    const url = `${this.gateway.url.replace('https', 'wss')}/gateway`;
    const socket = new WebSocket(url, 'rostack.v1', { ca: this.#ca });
    const send = (message: object) => socket.send(JSON.stringify(message));
    const following = new Following();
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('close', (code) => following.close(code));
      socket.on('open', () => send({ type: 'authenticate', method: 'shared_token', token: this.#token }));
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Record<string, unknown>;
        following.take(message);
        const subscribe = { type: 'subscribe', subscription_id: 's', resource: 'stations', cursor };
        if (message['type'] === 'authenticated') send(subscribe);
        if (message['type'] === 'subscribed' || message['type'] === 'error') resolve();
      });
    });
    return following;
  }

  async #take(): Promise<HandedOut> {
    const list = await this.#get(LIST);
    const { page } = (await list.json()) as Page;
    const next = await this.#get(`${LIST}&cursor=${page.next_cursor}`);
    const itemEtag = etagOf(await this.#get('/api/stations/a'));
    return {
      eventCursor: page.event_cursor,
      pageCursor: page.next_cursor,
      listEtag: etagOf(list),
      pageEtag: etagOf(next),
      itemEtag,
      version: itemEtag.slice(1, -1),
    };
  }

  #get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const request = new Request(`${this.gateway.url}${path}`, {
      headers: { ...bearing(this.#token), ...headers },
    });
    return Promise.resolve(this.gateway.app.fetch(request));
  }

  async #put(ifMatch: string): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.gateway.adminPort}/resources/stations/a`, {
      method: 'PUT',
      headers: {
        Authorization: `Bearer ${ADMIN_TOKEN}`,
        'Content-Type': 'application/json',
        'If-Match': ifMatch,
      },
      body: JSON.stringify({ id: 'a', height: -2 }),
    });
    return response.status;
  }
}

function etagOf(response: Response): string {
  const etag = response.headers.get('etag');
  if (response.status === 200 && etag !== null) return etag;
  throw new Error(`${response.url} was answered with ${response.status} and the validator ${String(etag)}`);
}

async function outcomeOf(response: Response): Promise<string> {
  const { type = '' } = (await response.json()) as { readonly type?: string };
  return `${response.status} ${type.slice(type.lastIndexOf('/') + 1)}`;
}
