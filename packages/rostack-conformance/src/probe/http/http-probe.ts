import { once } from 'node:events';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { hasCode } from 'rostack-core';
import type { Clock } from '../../base/clock.ts';
import { KitError } from '../../base/kit-error.ts';
import { type Exchange, fieldsNamed, type HeaderFields } from './exchange.ts';
import { parseJudgedJson } from './parse-judged-json.ts';
import { redact } from './redact.ts';

/** Options of one request. */
export interface ProbeRequest {
  /** @default 'GET' */
  readonly method?: string;
  /** A token to send; none by default. */
  readonly token?: string | undefined;
  /** Additional header fields; a list of values is sent as several fields. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** @default none */
  readonly body?: string;
}

/** An answer. */
export interface ProbeResponse {
  readonly status: number;
  /** The first value of a field. */
  header(name: string): string | undefined;
  /** The values of all fields of a name. */
  headers(name: string): readonly string[];
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** For `findings.fail`. */
  readonly exchange: Exchange;
}

export interface HttpProbeOptions {
  /** Origin of the target. With `http:` on loopback, secure URLs of that host are used as insecure ones. */
  readonly base: URL;
  /** PEM of an authority to trust; the system's by default. */
  readonly ca?: string | undefined;
  /** The text before a token in `Authorization`. */
  readonly scheme: string;
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The most requests that may be sent. */
  readonly maxRequests: number;
  /** Called each time the target asks to wait. */
  readonly onWait?: (waitMs: number) => void;
}

interface Answered {
  readonly status: number;
  readonly responseHeaders: HeaderFields;
  readonly text: string;
}

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 60_000;
const MAX_WAITS = 10;

/** Sends requests to the target one by one, and records the exchanges without credentials. */
export class HttpProbe implements AsyncDisposable {
  /** Called with every exchange, in order. */
  readonly observers = new Set<(exchange: Exchange) => void>();
  readonly #options: HttpProbeOptions;
  readonly #plain = new PlainAgent({ keepAlive: true });
  readonly #secure: SecureAgent;
  #count = 0;

  constructor(options: HttpProbeOptions) {
    this.#options = options;
    this.#secure = new SecureAgent({
      keepAlive: true,
      ...(options.ca !== undefined && { ca: options.ca }),
    });
  }

  /** How many requests have been sent so far. */
  get count(): number {
    return this.#count;
  }

  /** PEM of the trusted authority; undefined for the system's. */
  get ca(): string | undefined {
    return this.#options.ca;
  }

  /** A URL of the discovery document in reachable form: with `http:` and `ws:` if the base is insecure. */
  reachable(url: string): URL {
    const { base } = this.#options;
    const found = new URL(url, base);
    const isSame = found.hostname === base.hostname;
    if (base.protocol === 'http:' && isSame && found.protocol === 'https:') found.protocol = 'http:';
    if (base.protocol === 'http:' && isSame && found.protocol === 'wss:') found.protocol = 'ws:';
    return found;
  }

  /**
   * Sends a request; one that is answered with 429, or with a `service-unavailable` of the protocol, is sent again after the time that the
   * target asks for. If it stays unavailable for longer, that answer is returned.
   * @param url absolute, or a path at the target
   * @throws KitError `unreachable`, `request_budget_spent`, `rate_limited_for_too_long`
   */
  async get(url: string, request: ProbeRequest = {}): Promise<ProbeResponse> {
    for (let waits = 0; ; waits += 1) {
      const exchange = await this.#send(url, request);
      const waitMs = waitOf(exchange);
      if (waitMs === undefined) return responseOf(exchange);
      if (waits >= MAX_WAITS || waitMs > MAX_WAIT_MS) {
        if (exchange.status !== 429) return responseOf(exchange);
        throw new KitError('rate_limited_for_too_long', `${url} asks to wait for another ${waitMs} ms`);
      }
      this.#options.onWait?.(waitMs);
      await this.#options.clock.wait(waitMs, this.#options.signal);
    }
  }

  async #send(url: string, { method = 'GET', token, headers = {}, body }: ProbeRequest): Promise<Exchange> {
    const { maxRequests, scheme, secrets, clock, signal } = this.#options;
    if (this.#count >= maxRequests) {
      throw new KitError('request_budget_spent', `more than ${maxRequests} requests would be sent`);
    }
    this.#count += 1;
    const target = this.reachable(url);
    const sent = { ...(token !== undefined && { Authorization: `${scheme} ${token}` }), ...headers };
    const startedMs = clock.nowMs();
    const answer = await this.#exchange(target, method, sent, body, signal);
    const text = redact(answer.text, secrets);
    const exchange: Exchange = {
      method,
      url: redact(new URL(url, this.#options.base).href, secrets),
      requestHeaders: fieldsOf(sent).map(([name, value]) => [name, redact(value, secrets)]),
      isAuthenticated: token !== undefined,
      status: answer.status,
      responseHeaders: answer.responseHeaders.map(([name, value]) => [name, redact(value, secrets)]),
      text,
      json: parsed(text),
      durationMs: clock.nowMs() - startedMs,
    };
    for (const observe of this.observers) observe(exchange);
    return exchange;
  }

  async #exchange(
    url: URL,
    method: string,
    headers: Readonly<Record<string, string | readonly string[]>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Answered> {
    const isSecure = url.protocol === 'https:';
    const request = (isSecure ? secureRequest : plainRequest)(url, {
      method,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : [...value],
        ]),
      ),
      agent: isSecure ? this.#secure : this.#plain,
      // By default Node takes it from Host, which a check may have changed.
      ...(isSecure && isIP(url.hostname) === 0 && { servername: url.hostname }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    try {
      request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const text = await readText(response);
      return { status: response.statusCode ?? 0, responseHeaders: pairs(response.rawHeaders), text };
    } catch (cause) {
      // A target may close an idle connection just as it is used again. That is not an answer and nobody's fault.
      if (request.reusedSocket && hasCode(cause, 'ECONNRESET', 'EPIPE')) {
        return this.#exchange(url, method, headers, body, signal);
      }
      const said = cause instanceof Error ? cause.message : String(cause);
      throw new KitError('unreachable', `${method} ${url.href} got no answer: ${said}`, { cause });
    }
  }

  close(): Promise<void> {
    this.#plain.destroy();
    this.#secure.destroy();
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** How long an answer asks to wait. */
function waitOf({ status, json, responseHeaders }: Exchange): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const { retry_after_ms: waitMs } = (json ?? {}) as { readonly retry_after_ms?: unknown };
  if (typeof waitMs === 'number' && waitMs >= 0) return waitMs;
  if (status === 503) return undefined;
  const seconds = Number(fieldsNamed(responseHeaders, 'retry-after')[0] ?? 1);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) * 1_000 : 1_000;
}

const responseOf = (exchange: Exchange): ProbeResponse => ({
  status: exchange.status,
  header: (name) => fieldsNamed(exchange.responseHeaders, name)[0],
  headers: (name) => fieldsNamed(exchange.responseHeaders, name),
  text: exchange.text,
  json: exchange.json,
  exchange,
});

const fieldsOf = (headers: Readonly<Record<string, string | readonly string[]>>): HeaderFields =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const));

/** Node's raw headers list names and values alternately. */
const pairs = (raw: readonly string[]): HeaderFields =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));

function parsed(text: string): unknown {
  try {
    return parseJudgedJson(text);
  } catch {
    return undefined;
  }
}
