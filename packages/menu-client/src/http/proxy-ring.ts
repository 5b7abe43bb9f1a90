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
 * Outbound HTTP proxies, used in turn: the same one until it is left. Requests go through a tunnel (CONNECT), so that a
 * proxy sees the operator's host and nothing else of an https request.
 */
export class ProxyRing implements AsyncDisposable {
  readonly #urls: readonly string[];
  readonly #routes: readonly ProxyRoute[];
  #at = 0;
  #opened: Promise<Opened> | undefined;

  /** @param urls `http` or `https` URLs, with user and password where the proxy wants them; at least one */
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

  /** Goes on to the next proxy, unless another request did since it took this route. */
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

/** Loaded where a proxy is set only. The URLs that the agents keep hold no password. */
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
