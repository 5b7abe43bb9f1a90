import { evaluatePermission, type Principal } from 'rostack-core';
import type { Credential } from '../auth/index.ts';
import { type Awaitable, andThen } from '../awaitable.ts';
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
  identify(exchange: Exchange): Awaitable<Principal> {
    return andThen(this.#authenticate(exchange), ({ principal, credentialId }) => {
      exchange.principal = principal;
      if (credentialId !== undefined) exchange.credentialId = credentialId;
      if (this.#rateLimiter === undefined) return principal;
      return this.#consume(exchange, 'principal', principal.id, 1).then(() => principal);
    });
  }

  /** Makes sure that the sender may read a resource. @throws HttpProblem as `identify`, and permission-denied */
  authorizeRead(exchange: Exchange, resource: ServedResource): Awaitable<Principal> {
    return andThen(this.identify(exchange), (principal) => this.#permitRead(principal, resource));
  }

  #permitRead(principal: Principal, { descriptor }: ServedResource): Principal {
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

  #authenticate(exchange: Exchange): Awaitable<Credential> {
    try {
      const credential = this.#authentication.authenticate(exchange);
      return credential instanceof Promise
        ? credential.catch((error: unknown) => this.#fail(exchange, error))
        : credential;
    } catch (error) {
      return this.#fail(exchange, error);
    }
  }

  /** @throws whatever the authentication threw, once it is counted */
  async #fail(exchange: Exchange, error: unknown): Promise<never> {
    if (exchange.refusal !== undefined) await this.#countFailure(exchange);
    throw error;
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
