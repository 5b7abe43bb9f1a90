import { evaluatePermission, type Principal } from 'rostack-core';
import { AuthenticatorSet } from '../../auth/authenticator-set.ts';
import type {
  AuthenticationMethod,
  AuthenticationResult,
  Authenticator,
  Awaitable,
  Credential,
  RefusalReason,
} from '../../auth/index.ts';
import { type RateLimiter, type RateLimitScope } from '../../rate-limit/rate-limit.ts';
import { takePoint } from '../../rate-limit/rate-limiter.ts';
import { HttpProblem } from '../problem/http-problem.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ServedResource } from './served-resource.ts';

/** `Authorization` schemes of the two methods; case-insensitive (RFC 9110 section 11.1). */
const SCHEMES = {
  oauth2: 'Bearer',
  shared_token: 'Rostack-Token',
} as const satisfies Record<AuthenticationMethod, string>;

const METHOD_BY_SCHEME: ReadonlyMap<string, AuthenticationMethod> = new Map([
  ['bearer', 'oauth2'],
  ['rostack-token', 'shared_token'],
]);

/** auth-scheme 1*SP token68 (RFC 9110 section 11.2) */
const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) +([0-9A-Za-z._~+/-]+=*)$/;

export interface AccessDependencies {
  readonly authenticators: readonly Authenticator[];
  /** Sent in challenges, without characters that a quoted string cannot contain. */
  readonly realm: string;
  readonly rateLimiter: RateLimiter | undefined;
  readonly onLimiterError: (error: unknown, exchange: Exchange) => void;
}

/**
 * Decides whether a request may continue: credentials, then rate limits, then permissions (protocol sections 3 and 4). Only requests that
 * continue count against their address and principal; failed authentications have a budget of their own, so they cannot use up that of
 * valid credentials.
 */
export class Access {
  readonly #authenticators: AuthenticatorSet;
  readonly #methods: readonly AuthenticationMethod[];
  readonly #realm: string;
  readonly #rateLimiter: RateLimiter | undefined;
  readonly #onLimiterError: (error: unknown, exchange: Exchange) => void;

  constructor({ authenticators, realm, rateLimiter, onLimiterError }: AccessDependencies) {
    this.#authenticators = new AuthenticatorSet(authenticators);
    this.#methods = this.#authenticators.methods;
    this.#realm = realm.replaceAll(/[^ !#-[\]-~]/g, '');
    this.#rateLimiter = rateLimiter;
    this.#onLimiterError = onLimiterError;
  }

  /** Counts a request against its address. @throws HttpProblem rate-limited */
  async admit(exchange: Exchange): Promise<void> {
    checkWait(await this.#take(exchange, 'address', exchange.clientAddress));
  }

  /** Authenticates the sender of a request. @throws HttpProblem authentication-required, rate-limited, service-unavailable */
  async identify(exchange: Exchange): Promise<Principal> {
    // Most answers are synchronous: awaiting them would cost more than they do.
    const asked = this.#authenticate(exchange);
    const principal = note(exchange, asked instanceof Promise ? await asked : asked);
    const ofAddress = this.#take(exchange, 'address', exchange.clientAddress);
    checkWait(typeof ofAddress === 'number' ? ofAddress : await ofAddress);
    const ofPrincipal = this.#take(exchange, 'principal', principal.id);
    checkWait(typeof ofPrincipal === 'number' ? ofPrincipal : await ofPrincipal);
    return principal;
  }

  /**
   * Authenticates the sender of a request, and counts the request only if the credentials are refused.
   * @throws HttpProblem authentication-required, rate-limited, service-unavailable
   */
  async recognise(exchange: Exchange): Promise<Principal> {
    return note(exchange, await this.#authenticate(exchange));
  }

  /** Checks that the sender may read a resource. @throws HttpProblem as `identify`, and permission-denied */
  async authorizeRead(exchange: Exchange, { descriptor }: ServedResource): Promise<Principal> {
    const principal = await this.identify(exchange);
    const decision = evaluatePermission(principal, descriptor, 'read');
    if (decision.kind === 'granted') return principal;
    const needed = descriptor.read_permissions;
    throw HttpProblem.of(
      'permission-denied',
      `Reading ${descriptor.name} needs the permissions ${needed.join(', ')}.`,
      principal.method === 'oauth2'
        ? {
            // RFC 6750 section 3.1
            'WWW-Authenticate': `Bearer realm="${this.#realm}", error="insufficient_scope", scope="${needed.join(' ')}"`,
          }
        : {},
    );
  }

  /** The credential in the `Authorization` field. @throws HttpProblem, synchronously or as a rejection */
  #authenticate(exchange: Exchange): Awaitable<Credential> {
    const field = exchange.c.req.header('authorization');
    if (field === undefined)
      return this.#refuse(exchange, 'missing', 'Send credentials in the Authorization field.');
    const sent = parseAuthorization(field);
    if (sent === undefined || !this.#methods.includes(sent.method)) {
      const detail = 'The Authorization field contains no credentials of a method that discovery lists.';
      return this.#refuse(exchange, 'malformed', detail);
    }
    const { method, token } = sent;
    const presented = { method, token, address: exchange.clientAddress };
    const result = this.#authenticators.authenticate(presented, exchange.nowMs);
    return result instanceof Promise
      ? result.then((known) => this.#accept(exchange, method, known))
      : this.#accept(exchange, method, result);
  }

  #accept(
    exchange: Exchange,
    method: AuthenticationMethod,
    result: AuthenticationResult,
  ): Awaitable<Credential> {
    if (result.kind === 'authenticated') return result.credential;
    if (result.kind === 'refused') {
      const detail = 'The credentials are not accepted: they are unknown, expired or revoked.';
      if (result.detail !== undefined) exchange.refusalDetail = result.detail;
      if (result.credentialId !== undefined) exchange.credentialId = result.credentialId;
      return this.#refuse(exchange, result.reason, detail, method);
    }
    const detail = 'Credentials cannot be checked at the moment.';
    throw HttpProblem.retryable('service-unavailable', detail, result.retryAfterMs);
  }

  /** @throws HttpProblem authentication-required, or rate-limited if too many attempts from the address have failed */
  async #refuse(
    exchange: Exchange,
    reason: RefusalReason,
    detail: string,
    refusedMethod?: AuthenticationMethod,
  ): Promise<never> {
    exchange.refusal = reason;
    const waitMs = await this.#take(exchange, 'failure', exchange.clientAddress || undefined);
    checkWait(waitMs, 'Too many failed authentications: wait before the next one.');
    const challenges = this.#methods.map((method) => {
      const challenge = `${SCHEMES[method]} realm="${this.#realm}"`;
      return method === refusedMethod && method === 'oauth2'
        ? `${challenge}, error="invalid_token"`
        : challenge;
    });
    throw HttpProblem.of('authentication-required', detail, { 'WWW-Authenticate': challenges });
  }

  #take(exchange: Exchange, scope: RateLimitScope, key: string | undefined): Awaitable<number> {
    return takePoint(this.#rateLimiter, scope, key, (error) => this.#onLimiterError(error, exchange));
  }
}

function note(exchange: Exchange, { principal, credentialId }: Credential): Principal {
  exchange.principal = principal;
  if (credentialId !== undefined) exchange.credentialId = credentialId;
  return principal;
}

function checkWait(waitMs: number, detail = 'Too many requests: wait before the next one.'): void {
  if (waitMs > 0) throw HttpProblem.retryable('rate-limited', detail, waitMs);
}

/** Parses an `Authorization` field; undefined if it is malformed or has a scheme other than ours. */
export function parseAuthorization(
  field: string,
): { readonly method: AuthenticationMethod; readonly token: string } | undefined {
  const match = CREDENTIALS.exec(field.trim());
  const method = METHOD_BY_SCHEME.get(match?.[1]?.toLowerCase() ?? '');
  const token = match?.[2];
  return method === undefined || token === undefined ? undefined : { method, token };
}
