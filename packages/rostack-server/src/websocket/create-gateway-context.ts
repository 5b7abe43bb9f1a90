import { AuthenticatorSet } from '../auth/authenticator-set.ts';
import { guardSource } from '../guard/guard-source.ts';
import { Admission } from './connection/admission.ts';
import { CredentialWatch } from './connection/credential-watch.ts';
import type { GatewayContext } from './connection/gateway-context.ts';
import { createSessionRules } from './create-session-rules.ts';
import { BufferBudget } from './delivery/outbox.ts';
import { WriteRound } from './delivery/write-round.ts';
import { ForeignScopes } from './foreign-scopes.ts';
import { createEventValidator } from './hub/event-data.ts';
import { ResourceHub } from './hub/resource-hub.ts';
import type { GatewayAlarm } from './options/gateway-observer.ts';
import { DEFAULT_POLL_MS } from './options/gateway-option-checks.ts';
import type { WebSocketGatewayOptions } from './options/gateway-options.ts';
import type { GuardedCallbacks } from './options/guarded-callbacks.ts';
import { DEFAULT_WEBSOCKET_LIMITS, type WebSocketLimits } from './options/websocket-limits.ts';

/**
 * Makes what all connections of a gateway share.
 * @throws GatewayConfigurationError code `invalid_gateway_configuration`, when the options do not fit the discovery document
 */
export function createGatewayContext(
  options: WebSocketGatewayOptions,
  { observer, clock }: GuardedCallbacks,
): GatewayContext {
  const limits: WebSocketLimits = { ...DEFAULT_WEBSOCKET_LIMITS, ...withoutUndefined(options.limits ?? {}) };
  const authenticators = new AuthenticatorSet(options.authenticators);
  const onAlarm = observer.onAlarm ?? (() => {});
  const foreignScopes = new ForeignScopes(clock, () => onAlarm({ kind: 'cursor_keys_differ' }));
  return {
    rules: createSessionRules(options, limits, foreignScopes),
    hubs: createHubs(options, clock, onAlarm),
    authenticators,
    admission: new Admission(limits),
    credentials: new CredentialWatch({
      authenticators,
      clock,
      onFault: (method, error) => onAlarm({ kind: 'authenticator_fault', method, error }),
    }),
    clock,
    round: new WriteRound(clock),
    budget: new BufferBudget(limits.maxBufferedBytes),
    limits,
    observer,
    rateLimiter: options.rateLimiter,
  };
}

function createHubs(
  options: WebSocketGatewayOptions,
  clock: GuardedCallbacks['clock'],
  onAlarm: (alarm: GatewayAlarm) => void,
): ReadonlyMap<string, ResourceHub> {
  const { discovery, sources, schemas, resources } = options;
  const validate = schemas && createEventValidator(schemas);
  const hubs = new Map<string, ResourceHub>();
  for (const resource of discovery.resources) {
    const source = sources.get(resource.name);
    if (source === undefined) continue;
    const hub = new ResourceHub({
      resource,
      source: guardSource(resource.name, source),
      clock,
      data: { events: resources?.[resource.name]?.events, validate },
      ring: {
        maxChanges: options.ringMaxChanges ?? 4_096,
        maxBytes: options.ringMaxBytes ?? 16 * 1_048_576,
      },
      minPollMs: options.minPollMs ?? DEFAULT_POLL_MS.min,
      maxPollMs: options.maxPollMs ?? DEFAULT_POLL_MS.max,
      onAlarm,
    });
    hubs.set(resource.name, hub);
  }
  return hubs;
}

/** A member that is undefined counts as left out. */
function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
