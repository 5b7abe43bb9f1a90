import { hash } from 'node:crypto';
import { boundedCache } from '../guard/bounded-cache.ts';
import type {
  AuthenticationMethod,
  AuthenticationResult,
  Authenticator,
  Awaitable,
  Credential,
} from './authenticator.ts';
import { KeyedTurns } from './keyed-turns.ts';

/** Verifications for one address that may run at once. */
const TURNS_PER_ADDRESS = 8;
const MAX_REMEMBERED = 10_000;
/** Limit for waiting and verifying together: shorter than clients and gateways wait for an answer. */
const DEADLINE_MS = 8_000;
const RETRY_AFTER_MS = 1_000;

/** A credential as it was sent, and the address that sent it. */
export interface PresentedCredential {
  readonly method: AuthenticationMethod;
  /** The token without its scheme name. */
  readonly token: string;
  /** Undefined or empty if unknown. */
  readonly address: string | undefined;
  /** Whether the sender has disconnected, so that the answer is no longer needed. @default it never has */
  readonly isGone?: () => boolean;
}

/**
 * All authenticators of a server, several per method if tokens have several issuers. Only a few verifications for one address run at once,
 * the others wait in order; a credential that was accepted before does not wait, so an attacker's guesses cannot delay it.
 */
export class AuthenticatorSet {
  readonly #authenticators: ReadonlyMap<AuthenticationMethod, readonly Authenticator[]>;
  readonly #turns = new KeyedTurns(TURNS_PER_ADDRESS);
  /** Hashes of credentials that were accepted; their authenticator decides whether they are still valid. */
  readonly #known = boundedCache<true>(MAX_REMEMBERED);

  constructor(authenticators: readonly Authenticator[]) {
    this.#authenticators = Map.groupBy(authenticators, ({ method }) => method);
  }

  /** In the order in which the authenticators were given. */
  get methods(): readonly AuthenticationMethod[] {
    return [...this.#authenticators.keys()];
  }

  /** The first acceptance; otherwise `unavailable` if an authenticator could not decide, or not in time; otherwise a refusal. */
  authenticate(presented: PresentedCredential, nowMs: number): Awaitable<AuthenticationResult> {
    const { method, token, address, isGone = () => false } = presented;
    const ask = (): Awaitable<AuthenticationResult> =>
      this.#ask(method, (each) => each.authenticate(token, nowMs));
    if (address === undefined || address === '') return inTime(ask());
    if (this.#turns.isFree(address)) {
      const result = ask();
      // A synchronous answer is too cheap to count.
      return result instanceof Promise
        ? this.#remember(presented, inTime(this.#turns.hold(address, result)))
        : result;
    }
    if (this.#known.has(keyOf(presented))) return inTime(ask());
    let isLate = false;
    const waited = this.#turns.wait(address, ask, () => !isLate && !isGone());
    const result = inTime(
      waited.then((known) => known ?? LATE),
      () => (isLate = true),
    );
    return this.#remember(presented, result);
  }

  recheck(credential: Credential, nowMs: number): Awaitable<AuthenticationResult> {
    return this.#ask(credential.principal.method, (each) => each.recheck(credential, nowMs));
  }

  async #remember(
    presented: PresentedCredential,
    result: Awaitable<AuthenticationResult>,
  ): Promise<AuthenticationResult> {
    const known = await result;
    if (known.kind === 'authenticated') this.#known.set(keyOf(presented), true);
    return known;
  }

  #ask(
    method: AuthenticationMethod,
    ask: (authenticator: Authenticator) => Awaitable<AuthenticationResult>,
  ): Awaitable<AuthenticationResult> {
    const authenticators = this.#authenticators.get(method) ?? [];
    const [first] = authenticators;
    const check = (result: AuthenticationResult): AuthenticationResult =>
      checkAuthenticationResult(method, result);
    if (first === undefined || authenticators.length > 1)
      return askInTurn(authenticators, async (each) => check(await ask(each)));
    const result = ask(first);
    return result instanceof Promise ? result.then(check) : check(result);
  }
}

const LATE: AuthenticationResult = { kind: 'unavailable', retryAfterMs: RETRY_AFTER_MS };

/** The result, or `unavailable` if it takes longer than the deadline. */
function inTime(
  result: Awaitable<AuthenticationResult>,
  onLate: () => void = () => {},
): Awaitable<AuthenticationResult> {
  if (!(result instanceof Promise)) return result;
  const { promise: late, resolve } = Promise.withResolvers<AuthenticationResult>();
  const timer = setTimeout(() => {
    onLate();
    resolve(LATE);
  }, DEADLINE_MS);
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

async function askInTurn(
  authenticators: readonly Authenticator[],
  ask: (authenticator: Authenticator) => Awaitable<AuthenticationResult>,
): Promise<AuthenticationResult> {
  let result: AuthenticationResult = { kind: 'refused', reason: 'unknown' };
  for (const authenticator of authenticators) {
    const next = await ask(authenticator);
    if (next.kind === 'authenticated') return next;
    if (result.kind === 'refused') result = next;
  }
  return result;
}

function keyOf({ method, token }: PresentedCredential): string {
  return hash('sha256', `${method} ${token}`, 'base64url');
}

/**
 * Passes on an authenticator's result.
 * @throws TypeError if it is not a result, so that nobody is accepted or refused by mistake
 */
function checkAuthenticationResult(
  method: AuthenticationMethod,
  result: AuthenticationResult,
): AuthenticationResult {
  if (isResult(method, result)) return result;
  throw new TypeError(
    `The authenticator of ${method} returned something that is not an authentication result.`,
  );
}

function isResult(method: AuthenticationMethod, result: AuthenticationResult): boolean {
  if (typeof result !== 'object' || result === null) return false;
  switch (result.kind) {
    case 'authenticated':
      return isCredential(method, result);
    case 'refused':
      return typeof result.reason === 'string';
    case 'unavailable':
      return Number.isFinite(result.retryAfterMs) && result.retryAfterMs >= 0;
    default:
      return false;
  }
}

function isCredential(
  method: AuthenticationMethod,
  { credential }: Extract<AuthenticationResult, { kind: 'authenticated' }>,
): boolean {
  const { principal, expiresAtMs, credentialId } = Object(credential) as Partial<typeof credential>;
  return (
    typeof principal === 'object' &&
    typeof principal.id === 'string' &&
    principal.id !== '' &&
    principal.method === method &&
    typeof principal.permissions?.has === 'function' &&
    (principal.claims === undefined || (typeof principal.claims === 'object' && principal.claims !== null)) &&
    (expiresAtMs === undefined || Number.isFinite(expiresAtMs)) &&
    (credentialId === undefined || typeof credentialId === 'string')
  );
}
