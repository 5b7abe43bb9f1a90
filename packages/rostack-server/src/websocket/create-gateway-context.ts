import { OptionsError, type RecordSource, withDefaults } from 'rostack-core';
import { AuthenticatorSet } from '../auth/authenticator-set.ts';
import { guardSource } from '../guard/guard-source.ts';
import { type HistoryTexts, historyTexts } from '../guard/history-texts.ts';
import { aRecordSource } from '../guard/option-checks.ts';
import { sourcesOf } from '../options/served-options.ts';
import { Admission } from './connection/admission.ts';
import { CredentialWatch } from './connection/credential-watch.ts';
import type { GatewayContext } from './connection/gateway-context.ts';
import { createSessionRules, ForeignScopes } from './create-session-rules.ts';
import { BufferBudget } from './delivery/outbox.ts';
import { WriteRound } from './delivery/write-round.ts';
import { createEventValidator } from './hub/feed/event-data.ts';
import { ResourceHub, type ResourceHubOptions } from './hub/resource-hub.ts';
import { REFUSED } from './options/gateway-option-checks.ts';
import { GATEWAY_NUMBERS, type WebSocketGatewayOptions } from './options/gateway-options.ts';
import type { GuardedCallbacks } from './options/guarded-callbacks.ts';
import { WEBSOCKET_LIMITS, type WebSocketLimits } from './options/websocket-limits.ts';

/**
 * Creates what all connections of a gateway share.
 * @throws OptionsError `invalid_options`, if the options do not fit the discovery document
 */
export function createGatewayContext(
  options: WebSocketGatewayOptions,
  { hooks, clock }: GuardedCallbacks,
): GatewayContext {
  const limits: WebSocketLimits = withDefaults(WEBSOCKET_LIMITS, options.limits);
  const authenticators = new AuthenticatorSet(options.authenticators);
  const onAlarm = hooks.onAlarm ?? (() => {});
  const foreignScopes = new ForeignScopes(clock, () => onAlarm({ kind: 'cursor_keys_differ' }));
  const { discovery, resources } = options.implementation;
  const histories = new Map(
    discovery.resources.map(({ name }) => [
      name,
      historyTexts(options.cursorKeys.events, name, resources[name]?.visible),
    ]),
  );
  const rules = createSessionRules(options, limits, histories, foreignScopes);
  const sources = followedSources(options);
  const round = new WriteRound(clock);
  return {
    rules,
    hubs: createHubs(options, sources, { clock, round, histories, onAlarm, onDelivered: hooks.onDelivered }),
    authenticators,
    admission: new Admission(limits, options.sharedConnectionLimits),
    credentials: new CredentialWatch({
      authenticators,
      clock,
      onFault: (method, error) => onAlarm({ kind: 'authenticator_fault', method, error }),
    }),
    clock,
    round,
    budget: new BufferBudget(limits.maxBufferedBytes),
    limits,
    hooks,
    rateLimiter: options.rateLimiter,
  };
}

interface SharedByHubs extends Pick<ResourceHubOptions, 'clock' | 'round' | 'onAlarm' | 'onDelivered'> {
  readonly histories: ReadonlyMap<string, HistoryTexts>;
}

function createHubs(
  options: WebSocketGatewayOptions,
  sources: ReadonlyMap<string, RecordSource>,
  { histories, ...shared }: SharedByHubs,
): ReadonlyMap<string, ResourceHub> {
  const { discovery, schemas, resources } = options.implementation;
  const { minPollMs, maxPollMs, ringMaxChanges, ringMaxBytes } = withDefaults(GATEWAY_NUMBERS, options);
  const validate = createEventValidator(schemas);
  const hubs = new Map<string, ResourceHub>();
  for (const resource of discovery.resources) {
    const source = sources.get(resource.name);
    const history = histories.get(resource.name);
    if (source === undefined || history === undefined) continue;
    const hub = new ResourceHub({
      resource,
      source: guardSource(resource.name, source),
      history,
      data: {
        events: resources[resource.name]?.events,
        hidden: resources[resource.name]?.hidden ?? [],
        validate,
      },
      ring: { maxChanges: ringMaxChanges, maxBytes: ringMaxBytes },
      minPollMs,
      maxPollMs,
      ...shared,
    });
    hubs.set(resource.name, hub);
  }
  return hubs;
}

/** The sources of those resources that have events. @throws OptionsError with every invalid source */
function followedSources(options: WebSocketGatewayOptions): ReadonlyMap<string, RecordSource> {
  const sources = sourcesOf(options);
  const followed = new Map<string, RecordSource>();
  const faults: string[] = [];
  for (const { name, events } of options.implementation.discovery.resources) {
    if (events.length === 0) continue;
    const source = sources(name);
    const fault = aRecordSource(source, `options.sources(${JSON.stringify(name)})`);
    if (fault === undefined) followed.set(name, source);
    else faults.push(`${fault}.`);
  }
  if (faults.length > 0) throw new OptionsError(REFUSED, faults);
  return followed;
}
