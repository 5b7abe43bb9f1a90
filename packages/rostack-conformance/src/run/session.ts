import {
  type AnyDiscoveryDocument,
  type AuthenticationMethod,
  DISCOVERY_PATH,
  detectRelease,
  MODELS,
  type Release,
  SHARED_TOKEN_SCHEME,
} from 'rostack-core';
import { type Clock, systemClock } from '../base/clock.ts';
import { KitError } from '../base/kit-error.ts';
import { Tokens } from '../check/tokens.ts';
import { HttpProbe, type ProbeResponse } from '../probe/http/http-probe.ts';
import { DEFAULT_MAX_REQUESTS, type Target } from './target.ts';

/** What the checks of a run share. */
export interface Session extends AsyncDisposable {
  readonly http: HttpProbe;
  readonly tokens: Tokens;
  readonly release: Release;
  /** Undefined if the target has none that is usable. */
  readonly discovery: AnyDiscoveryDocument | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const SCHEMES: Readonly<Record<AuthenticationMethod, string>> = {
  shared_token: SHARED_TOKEN_SCHEME,
  oauth2: 'Bearer',
};

/**
 * Reads the discovery document of the target.
 * @throws KitError `usage` for an invalid URL; `unreachable` if nothing answers there
 */
export async function openSession(target: Target, onWait?: (waitMs: number) => void): Promise<Session> {
  const base = URL.parse(target.url);
  if (base === null || !/^https?:$/.test(base.protocol)) {
    throw new KitError('usage', `${target.url} is not a URL such as https://data.example.com`);
  }
  const { token: main, secondToken: second, poorToken: poor, clock = systemClock } = target;
  const signal = target.signal ?? new AbortController().signal;
  const probe = (method: AuthenticationMethod, maxRequests: number) => {
    const tokens = new Tokens(method, { main, second, poor });
    const { secrets } = tokens;
    const http = new HttpProbe({
      base,
      ca: target.ca,
      scheme: SCHEMES[method],
      secrets,
      clock,
      signal,
      maxRequests,
      ...(onWait !== undefined && { onWait }),
    });
    return { tokens, http };
  };
  const found = await readDiscovery(probe, main);
  const method = target.method ?? methodOf(found.json);
  const { tokens, http } = probe(method, target.maxRequests ?? DEFAULT_MAX_REQUESTS);
  const release = target.release ?? detectRelease(found.json);
  return {
    http,
    tokens,
    release,
    discovery: usable(found.json, release),
    clock,
    signal,
    [Symbol.asyncDispose]: () => http.close(),
  };
}

/** Tries without a credential, then with each method: which one is right is not known before the document is read. */
async function readDiscovery(
  probe: (method: AuthenticationMethod, maxRequests: number) => { readonly http: HttpProbe },
  token: string | undefined,
): Promise<ProbeResponse> {
  let found: ProbeResponse | undefined;
  for (const method of ['shared_token', 'oauth2'] as const) {
    await using http = probe(method, 4).http;
    found = await http.get(DISCOVERY_PATH);
    if (found.status === 401 && token !== undefined) found = await http.get(DISCOVERY_PATH, { token });
    if (found.status !== 401) return found;
  }
  if (found === undefined) throw new KitError('no_discovery', 'discovery cannot be requested');
  return found;
}

function methodOf(document: unknown): AuthenticationMethod {
  const { authentication } = (document ?? {}) as { readonly authentication?: { readonly methods?: unknown } };
  const methods = Array.isArray(authentication?.methods) ? (authentication.methods as unknown[]) : [];
  const offers = (type: string) =>
    methods.some((method) => (method as { readonly type?: unknown } | null)?.type === type);
  return offers('oauth2') && !offers('shared_token') ? 'oauth2' : 'shared_token';
}

/**
 * The document if it has the shape of a release. The checks of discovery report its other faults; the rest of the target can still be
 * checked.
 */
function usable(document: unknown, release: Release): AnyDiscoveryDocument | undefined {
  const isObject = typeof document === 'object' && document !== null;
  const { errors: _, ...older } = isObject ? (document as Readonly<Record<string, unknown>>) : {};
  return (
    MODELS[release].discovery.safeParse(document).data ?? MODELS['2026-08-12'].discovery.safeParse(older).data
  );
}
