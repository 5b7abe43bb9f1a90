import { evaluatePermission, type Principal } from 'rostack-core';
import type { Credential } from '../auth/index.ts';
import { countFailure } from '../rate-limit/count-failure.ts';
import type { RateLimiter } from '../rate-limit/index.ts';
import type { RequestAuthentication } from './authenticate-request.ts';
import type { Exchange } from './exchange.ts';
import { HttpProblem } from './http-problem.ts';
import type { ServedResource } from './served-resource.ts';

/**
 * Decides who may go on: credentials, then rate limits, then permissions (protocol section 3). Only what goes on is counted against its
 * address and its principal; failed authentications have a budget of their own, so they cannot use up that of right credentials.
 */
export class Access {
  readonly #authentication: RequestAuthentication;
  readonly #rateLimiter: RateLimiter | undefined;
  readonly #onLimiterError: (error: unknown, exchange: Exchange) => void;

  constructor(
    authentication: RequestAuthentication,
    rateLimiter: RateLimiter | undefined,
    onLimiterError: (error: unknown, exchange: Exchange) => void,
  ) {
    this.#authentication = authentication;
    this.#rateLimiter = rateLimiter;
    this.#onLimiterError = onLimiterError;
  }

  /** Counts a request against its address. @throws HttpProblem rate-limited */
  async admit(exchange: Exchange): Promise<void> {
    if (exchange.clientAddress !== undefined)
      await this.#consume(exchange, 'address', exchange.clientAddress);
  }

  /** Finds out who sends a request. @throws HttpProblem authentication-required, rate-limited, service-unavailable */
  async identify(exchange: Exchange): Promise<Principal> {
    const { principal, credentialId } = await this.#authenticate(exchange);
    exchange.principal = principal;
    if (credentialId !== undefined) exchange.credentialId = credentialId;
    if (this.#rateLimiter === undefined) return principal;
    await this.admit(exchange);
    await this.#consume(exchange, 'principal', principal.id);
    return principal;
  }

  /** Makes sure that the sender may read a resource. @throws HttpProblem as `identify`, and permission-denied */
  async authorizeRead(exchange: Exchange, { descriptor }: ServedResource): Promise<Principal> {
    const principal = await this.identify(exchange);
    const decision = evaluatePermission(principal, descriptor, 'read');
    if (decision.kind === 'granted') return principal;
    const challenge = this.#authentication.insufficientScopeChallenge(
      principal.method,
      descriptor.read_permissions,
    );
    throw HttpProblem.of(
      'permission-denied',
      `Reading ${descriptor.name} needs the permissions ${descriptor.read_permissions.join(', ')}.`,
      challenge === undefined ? {} : { 'WWW-Authenticate': challenge },
    );
  }

  /** @throws HttpProblem of the authentication, or rate-limited when too many have failed at the address */
  async #authenticate(exchange: Exchange): Promise<Credential> {
    try {
      return await this.#authentication.authenticate(exchange);
    } catch (error) {
      if (exchange.refusal === undefined) throw error;
      const waitMs = await countFailure(this.#rateLimiter, exchange.clientAddress, (fault) =>
        this.#onLimiterError(fault, exchange),
      );
      if (waitMs > 0) throw rateLimited('Too many failed authentications: wait before the next one.', waitMs);
      throw error;
    }
  }

  /** A limiter that fails limits nobody: it is reported, and the request goes on. */
  async #consume(exchange: Exchange, scope: 'address' | 'principal', key: string): Promise<void> {
    if (this.#rateLimiter === undefined) return;
    let waitMs = 0;
    try {
      waitMs = await this.#rateLimiter.consume(scope, key, 1);
    } catch (error) {
      this.#onLimiterError(error, exchange);
    }
    if (waitMs > 0) throw rateLimited('Too many requests: wait before the next one.', waitMs);
  }
}

function rateLimited(detail: string, waitMs: number): HttpProblem {
  return HttpProblem.retryable('rate-limited', detail, waitMs);
}
