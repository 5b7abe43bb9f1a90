import { evaluatePermission, type Principal } from 'rostack-core';
import type { RateLimiter } from '../rate-limit/index.ts';
import type { RequestAuthentication } from './authenticate-request.ts';
import type { Exchange } from './exchange.ts';
import { HttpProblem } from './http-problem.ts';
import type { ServedResource } from './served-resource.ts';

/** Decides who may go on: rate limits, then credentials, then permissions (protocol section 3). */
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
      await this.#consume(exchange, 'address', exchange.clientAddress, 1);
  }

  /** Finds out who sends a request. @throws HttpProblem authentication-required, rate-limited, service-unavailable */
  async identify(exchange: Exchange): Promise<Principal> {
    try {
      const { principal, credentialId } = await this.#authentication.authenticate(exchange);
      exchange.principal = principal;
      if (credentialId !== undefined) exchange.credentialId = credentialId;
    } catch (error) {
      if (exchange.refusal !== undefined) await this.#countFailure(exchange);
      throw error;
    }
    if (this.#rateLimiter !== undefined) {
      await this.#consume(exchange, 'principal', exchange.principal.id, 1);
    }
    return exchange.principal;
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

  async #countFailure(exchange: Exchange): Promise<void> {
    const { clientAddress } = exchange;
    if (clientAddress === undefined || this.#rateLimiter === undefined) return;
    await this.#ask(exchange, 'address', clientAddress, this.#rateLimiter.failedAuthenticationPoints);
  }

  async #consume(
    exchange: Exchange,
    scope: 'address' | 'principal',
    key: string,
    points: number,
  ): Promise<void> {
    const waitMs = await this.#ask(exchange, scope, key, points);
    if (waitMs > 0)
      throw HttpProblem.retryable('rate-limited', 'Too many requests: wait before the next one.', waitMs);
  }

  /** A limiter that fails limits nobody: it is told of, and the request goes on. */
  async #ask(
    exchange: Exchange,
    scope: 'address' | 'principal',
    key: string,
    points: number,
  ): Promise<number> {
    if (this.#rateLimiter === undefined) return 0;
    try {
      return await this.#rateLimiter.consume(scope, key, points);
    } catch (error) {
      this.#onLimiterError(error, exchange);
      return 0;
    }
  }
}
