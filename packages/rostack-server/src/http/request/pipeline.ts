import { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Context, Next } from 'hono';
import { DISCOVERY_PATH, ignoreRejection, PROTOCOL_VERSION, type ProblemSlug } from 'rostack-core';
import type { HttpHooks, RequestReport } from '../../options/http-hooks.ts';
import type { DeclaredProblems } from '../problem/error-declarations.ts';
import { HttpProblem } from '../problem/http-problem.ts';
import type { ClientAddress } from './client-address.ts';
import type { Cors } from './cors.ts';
import type { Exchange, Reply } from './exchange.ts';
import { SANE_REQUEST_ID } from './guarded-callbacks.ts';
import { problemReply, toHttpProblem } from './problem-reply.ts';
import { checkHost, checkMethod, checkNoBody, checkUrlLength, OPTIONS_HEADERS } from './request-rules.ts';
import type { Route, RouteTable } from './route-table.ts';

export interface PipelineDependencies {
  readonly routes: RouteTable;
  /** Every path below this one is answered, even if it does not exist. */
  readonly apiPath: string;
  readonly strippedPathPrefix: string;
  readonly hosts: ReadonlySet<string> | undefined;
  readonly declared: DeclaredProblems;
  readonly cors: Cors;
  readonly apiVersion: string;
  /** Undefined if nothing needs the address. */
  readonly clientAddress: ClientAddress | undefined;
  /** Counts a request that needs no credentials, before it is handled. */
  readonly admit: ((exchange: Exchange) => Promise<void>) | undefined;
  readonly retryAfterMs: number;
  /** Guarded hooks, which do not throw. */
  readonly hooks: HttpHooks;
  readonly clock: () => number;
  readonly makeRequestId: () => string;
}

/** What is served at the path of a request. */
interface Target {
  readonly route: Route;
  readonly id: string;
}

/** The `ServerResponse` under @hono/node-server; undefined on other servers. */
function outgoingOf({ c }: Exchange): ServerResponse | undefined {
  const env: { readonly outgoing?: unknown } | undefined = c.env;
  return env?.outgoing instanceof ServerResponse ? env.outgoing : undefined;
}

/** Handles a request: finds its route, checks it, lets the route answer, turns errors into problems, and reports it. */
export class Pipeline {
  readonly #dependencies: PipelineDependencies;
  #nextTurn: Promise<void> | undefined;

  constructor(dependencies: PipelineDependencies) {
    this.#dependencies = dependencies;
  }

  /** Answers requests for our paths; all others are passed on to the surrounding app. */
  readonly handle = (c: Context, next: Next): Promise<Response | void> => {
    const { host, path: sentPath, search } = splitUrl(c.req.url);
    const { path, target, isOurs } = this.#find(sentPath);
    return isOurs ? this.#respond(this.#open(c, host, path, search), target) : next();
  };

  /** Whether a path, as sent, is one of ours. */
  readonly recognises = (sentPath: string): boolean => this.#find(sentPath).isOurs;

  /** Answers requests for unknown paths if the app is not mounted in another. */
  readonly notFound = (c: Context): Promise<Response> => {
    const { host, path, search } = splitUrl(c.req.url);
    return this.#respond(this.#open(c, host, path, search), undefined);
  };

  #find(sentPath: string): { path: string; target: Target | undefined; isOurs: boolean } {
    const { routes, apiPath, strippedPathPrefix } = this.#dependencies;
    // The well-known path is at the origin, so no prefix was stripped.
    const path = sentPath === DISCOVERY_PATH ? sentPath : strippedPathPrefix + sentPath;
    const target = routes.find(path);
    return { path, target, isOurs: target !== undefined || path.startsWith(apiPath) };
  }

  #open(c: Context, host: string, path: string, search: string): Exchange {
    const { clock, makeRequestId } = this.#dependencies;
    const sentId = c.req.header('x-request-id');
    return {
      c,
      method: c.req.raw.method,
      host,
      path,
      search,
      requestId: sentId !== undefined && SANE_REQUEST_ID.test(sentId) ? sentId : makeRequestId(),
      nowMs: clock(),
    };
  }

  async #respond(exchange: Exchange, target: Target | undefined): Promise<Response> {
    const startedAtMs = performance.now();
    await this.#turn();
    let problem: HttpProblem | undefined;
    let reply: Reply;
    try {
      this.#findAddress(exchange);
      reply = await this.#answer(exchange, target);
    } catch (error) {
      problem = this.#problemOf(error, exchange, target?.route);
      reply = problemReply(problem, exchange.requestId);
    }
    const response = this.#write(exchange, reply);
    this.#report(exchange, target?.route, reply.status, problem?.slug, startedAtMs);
    return response;
  }

  /**
   * Requests read in one turn of the event loop are answered together in the next one, each step of all before the next step of any, which
   * keeps the processor's caches warm.
   */
  #turn(): Promise<void> {
    this.#nextTurn ??= setImmediate().then(() => {
      this.#nextTurn = undefined;
    });
    return this.#nextTurn;
  }

  /** The response, with the header fields that all answers have. */
  #write(exchange: Exchange, { status, headers: own, body }: Reply): Response {
    const { cors, apiVersion } = this.#dependencies;
    const headers: Record<string, string | readonly string[]> = {
      ...own,
      'X-Request-Id': exchange.requestId,
      'X-Rostack-Protocol-Version': PROTOCOL_VERSION,
      'X-Rostack-API-Version': apiVersion,
      'X-Content-Type-Options': 'nosniff',
    };
    const origin = exchange.c.req.header('origin');
    if (origin !== undefined) {
      const isPreflight = exchange.method === 'OPTIONS' && status === 204;
      Object.assign(headers, isPreflight ? cors.preflightHeadersFor(origin) : cors.headersFor(origin));
    }
    if (cors.variesByOrigin) headers['Vary'] = [...[headers['Vary'] ?? []].flat(), 'Origin'].join(', ');
    // Node writes a list as one field line per value, whereas a Response would join them with commas.
    const outgoing = outgoingOf(exchange);
    for (const [name, value] of Object.entries(headers)) {
      if (outgoing === undefined || typeof value === 'string') continue;
      outgoing.setHeader(name, value);
      delete headers[name];
    }
    return new Response(body, { status, headers: headers as Record<string, string> });
  }

  /** @throws whatever the caller's function throws */
  #findAddress(exchange: Exchange): void {
    const address: unknown = this.#dependencies.clientAddress?.(exchange.c);
    if (address === undefined) return;
    if (typeof address !== 'string') {
      ignoreRejection(address, (error) => this.#reportError(error, exchange, undefined));
      throw new TypeError(`clientAddress returned ${typeof address}: return a string.`);
    }
    exchange.clientAddress = address;
  }

  async #answer(exchange: Exchange, target: Target | undefined): Promise<Reply> {
    const { hosts, admit } = this.#dependencies;
    checkHost(exchange, hosts);
    checkMethod(exchange);
    if (target !== undefined) {
      if (exchange.method === 'OPTIONS') return { status: 204, headers: OPTIONS_HEADERS, body: null };
      checkNoBody(exchange);
    }
    if (target?.route.isPublic ?? true) await admit?.(exchange);
    checkUrlLength(exchange, target?.route.operation === 'list');
    if (target !== undefined) return target.route.answer(exchange, target.id);
    throw HttpProblem.of('resource-not-found', 'There is nothing at this URL: see the discovery document.');
  }

  /** The problem sent to the client: always one that discovery declares for the operation. */
  #problemOf(error: unknown, exchange: Exchange, route: Route | undefined): HttpProblem {
    const { declared, retryAfterMs } = this.#dependencies;
    const problem = toHttpProblem(error, retryAfterMs);
    if (problem !== error && (problem.slug === 'internal-error' || problem.slug === 'service-unavailable')) {
      this.#reportError(error, exchange, route);
    }
    const operation = route?.operation ?? 'schema';
    // Only operations of the protocol have declared problems.
    if (operation === 'schema' || operation === 'upgrade' || operation === 'audience') return problem;
    if (declared[operation].has(problem.slug)) return problem;
    const undeclared = new Error(`The problem ${problem.slug} is not declared for ${operation}.`, {
      cause: error,
    });
    this.#reportError(undeclared, exchange, route);
    return toHttpProblem(undeclared, retryAfterMs);
  }

  #report(
    exchange: Exchange,
    route: Route | undefined,
    status: number,
    problem: ProblemSlug | undefined,
    startedAtMs: number,
  ): void {
    const { onRequest } = this.#dependencies.hooks;
    if (onRequest === undefined) return;
    const report: RequestReport = {
      requestId: exchange.requestId,
      method: exchange.method,
      path: exchange.path,
      operation: route?.operation,
      resource: route?.resource,
      status,
      problem,
      durationMs: performance.now() - startedAtMs,
      principalId: exchange.principal?.id,
      credentialId: exchange.credentialId,
      refusal: exchange.refusal,
      refusalDetail: exchange.refusalDetail,
      clientAddress: exchange.clientAddress,
      recordId: exchange.recordId,
      pageCache: exchange.pageCache,
      pageCacheBytes: exchange.pageCacheBytes,
    };
    onRequest(report);
  }

  #reportError(error: unknown, exchange: Exchange, route: Route | undefined): void {
    this.#dependencies.hooks.onError?.(error, {
      requestId: exchange.requestId,
      operation: route?.operation,
      resource: route?.resource,
    });
  }
}

/** Splits the URL of a request, without normalising its path. */
function splitUrl(url: string): { host: string; path: string; search: string } {
  const hostStart = url.indexOf('://') + 3;
  const pathStart = url.indexOf('/', hostStart);
  const hashStart = url.indexOf('#', pathStart);
  const end = hashStart === -1 ? url.length : hashStart;
  const queryStart = url.indexOf('?', pathStart);
  const pathEnd = queryStart === -1 || queryStart > end ? end : queryStart;
  return {
    host: url.slice(hostStart, pathStart).toLowerCase(),
    path: url.slice(pathStart, pathEnd),
    search: url.slice(pathEnd, end),
  };
}
