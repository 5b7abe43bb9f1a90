import { AuthenticatorSet } from '../auth/authenticator-set.ts';
import { AUTHORIZATION_SCHEMES, parseAuthorization } from '../auth/authorization-header.ts';
import type { AuthenticationMethod, AuthenticationResult, Authenticator, Credential } from '../auth/index.ts';
import type { Exchange } from './exchange.ts';
import { HttpProblem } from './http-problem.ts';

/** Authenticates requests by their `Authorization` field (protocol section 4). */
export class RequestAuthentication {
  readonly #authenticators: AuthenticatorSet;
  readonly #realm: string;
  readonly #methods: readonly AuthenticationMethod[];

  /** @param realm shown in challenges; what a quoted string cannot hold is left out */
  constructor(authenticators: readonly Authenticator[], realm: string) {
    this.#authenticators = new AuthenticatorSet(authenticators);
    this.#realm = realm.replaceAll(/[^ !#-[\]-~]/g, '');
    this.#methods = this.#authenticators.methods;
  }

  /**
   * The credential of a request.
   * @throws HttpProblem authentication-required, or service-unavailable when nobody can tell now
   */
  async authenticate(exchange: Exchange): Promise<Credential> {
    const field = exchange.c.req.header('authorization');
    if (field === undefined) {
      exchange.refusal = 'missing';
      throw this.#required('Send credentials in the Authorization field.');
    }
    const sent = parseAuthorization(field);
    if (sent === undefined || !this.#methods.includes(sent.method)) {
      exchange.refusal = 'malformed';
      throw this.#required('The Authorization field holds no credentials of a method that discovery lists.');
    }
    const presented = { ...sent, address: exchange.clientAddress };
    const result = await this.#authenticators.authenticate(presented, exchange.nowMs);
    return this.#accept(result, sent.method, exchange);
  }

  /** @throws HttpProblem as `authenticate` */
  #accept(result: AuthenticationResult, method: AuthenticationMethod, exchange: Exchange): Credential {
    if (result.kind === 'authenticated') return result.credential;
    if (result.kind === 'unavailable') {
      throw HttpProblem.retryable(
        'service-unavailable',
        'Credentials cannot be checked at the moment.',
        result.retryAfterMs,
      );
    }
    exchange.refusal = result.reason;
    throw this.#required('The credentials are not accepted: they are unknown, expired or revoked.', method);
  }

  /** The challenge for a credential that lacks permissions, where its method has one (RFC 6750 section 3.1). */
  insufficientScopeChallenge(method: AuthenticationMethod, needed: readonly string[]): string | undefined {
    if (method !== 'oauth2') return undefined;
    return `Bearer realm="${this.#realm}", error="insufficient_scope", scope="${needed.join(' ')}"`;
  }

  #required(detail: string, refusedMethod?: AuthenticationMethod): HttpProblem {
    const challenges = this.#methods.map((method) => {
      const challenge = `${AUTHORIZATION_SCHEMES[method]} realm="${this.#realm}"`;
      return method === refusedMethod && method === 'oauth2'
        ? `${challenge}, error="invalid_token"`
        : challenge;
    });
    return HttpProblem.of('authentication-required', detail, { 'WWW-Authenticate': challenges });
  }
}
