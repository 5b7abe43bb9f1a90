import type { ProxyAgent, fetch as undiciFetch } from 'undici';
import type { Fetch } from './send-request.ts';

/** The way through one proxy. */
export interface ProxyRoute {
  readonly fetch: Fetch;
}

interface Opened {
  readonly agents: readonly ProxyAgent[];
  readonly fetch: typeof undiciFetch;
}

/**
 * Outbound HTTP proxies, one at a time: `leave` moves on to the next. Requests go through a tunnel (CONNECT), so that a
 * proxy sees only the operator's host of an https request.
 */
export class ProxyRing implements AsyncDisposable {
  readonly #urls: readonly string[];
  readonly #routes: readonly ProxyRoute[];
  #at = 0;
  #opened: Promise<Opened> | undefined;

  /** @param urls `http` or `https` URLs, with user and password if the proxy wants them; at least one */
  constructor(urls: readonly string[]) {
    this.#urls = urls;
    this.#routes = urls.map((_url, at) => ({ fetch: (input, init) => this.#fetch(at, input, init) }));
  }

  get size(): number {
    return this.#routes.length;
  }

  get current(): ProxyRoute {
    const route = this.#routes[this.#at];
    if (route === undefined) throw new RangeError('a ring has at least one proxy');
    return route;
  }

  /** Moves on to the next proxy, unless another request has already left this one. */
  leave(route: ProxyRoute): void {
    if (this.current === route) this.#at = (this.#at + 1) % this.#routes.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.#opened;
    await Promise.all(opened?.agents.map((agent) => agent.destroy()) ?? []);
  }

  async #fetch(at: number, input: Parameters<Fetch>[0], init: RequestInit = {}): Promise<Response> {
    this.#opened ??= open(this.#urls);
    const { agents, fetch } = await this.#opened;
    const dispatcher = agents[at];
    // The library's own types differ from the platform's in members that nothing here uses.
    const request = { ...init, ...(dispatcher === undefined ? {} : { dispatcher }) } as Parameters<
      typeof fetch
    >[1];
    return fetch(input as string, request);
  }
}

/** Loads undici only when a proxy is set. The URLs that the agents keep contain no password. */
async function open(urls: readonly string[]): Promise<Opened> {
  const { fetch, ProxyAgent } = await import('undici');
  const agents = urls.map((text) => {
    const url = new URL(text);
    const user = [url.username, url.password].map(decodeURIComponent).join(':');
    const token = `Basic ${Buffer.from(user).toString('base64')}`;
    return new ProxyAgent({ uri: url.origin, ...(user === ':' ? {} : { token }) });
  });
  return { agents, fetch };
}
