import {
  aFunction,
  anObject,
  aText,
  expecting,
  listOf,
  type OptionCheck,
  objectWith,
  optional,
  optionsOf,
  wholeNumber,
} from 'rostack-core';
import { anAuthenticator } from '../../auth/authenticator.ts';
import {
  aDiscoveryDocument,
  aMap,
  aPositiveNumber,
  aRateLimiter,
  aSecretKey,
  aStrippedPrefix,
  servedHosts,
} from '../../guard/option-checks.ts';
import type { CursorKeys } from '../../http/cursors.ts';
import type { GatewayObserver } from './gateway-observer.ts';
import type { DrainOptions, WebSocketGatewayOptions } from './gateway-options.ts';
import type { Rate, WebSocketLimits } from './websocket-limits.ts';

/** The gateway's options do not fit its discovery document. */
export class GatewayConfigurationError extends Error {
  override readonly name = 'GatewayConfigurationError';
  readonly code = 'invalid_gateway_configuration';
  readonly retryable = false;
  /** A sentence for each fault. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The gateway cannot start: ${faults.join(' ')}`);
    this.faults = faults;
  }
}

const MAX_RECHECK_MS = 5_000;
const MIN_RECHECK_MS = 100;

const count = optional(wholeNumber(1));
const rate = optional(optionsOf<Rate>({ burst: aPositiveNumber, perSecond: aPositiveNumber }));
const someMap: OptionCheck = optional(aMap);
const callback: OptionCheck = optional(aFunction);

const gatewayOptions: OptionCheck = optionsOf<WebSocketGatewayOptions>({
  discovery: aDiscoveryDocument,
  sources: aFunction,
  authenticators: listOf(anAuthenticator),
  cursorKeys: optionsOf<CursorKeys>({ pages: optional(anObject), events: aSecretKey }),
  resources: anObject,
  schemas: someMap,
  strippedPathPrefix: aStrippedPrefix,
  hosts: servedHosts,
  allowedOrigins: optional(
    expecting(
      "'*' or an array of origins",
      (value) => value === '*' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
    ),
  ),
  addressOf: callback,
  refuse: callback,
  limits: optional(
    optionsOf<WebSocketLimits>({
      maxConnections: count,
      maxConnectionsPerAddress: count,
      maxConnectionsPerPrincipal: count,
      maxMessageBytes: count,
      maxFragments: count,
      maxSubscriptions: count,
      messageRate: rate,
      subscribeRate: rate,
      maxRateViolations: count,
      maxInvalidMessages: count,
      maxPermissionRefusals: count,
      maxWaitingMessages: count,
      pauseAboveBytes: count,
      resumeBelowBytes: count,
      maxBufferedBytes: count,
    }),
  ),
  rateLimiter: optional(aRateLimiter),
  minPollMs: count,
  maxPollMs: count,
  ringMaxChanges: count,
  ringMaxBytes: count,
  recheckIntervalMs: optional(wholeNumber(MIN_RECHECK_MS, MAX_RECHECK_MS)),
  observer: optional(
    optionsOf<GatewayObserver>({
      onAlarm: callback,
      onUpgradeRefused: callback,
      onConnected: callback,
      onAuthenticated: callback,
      onAuthenticationFailed: callback,
      onErrorSent: callback,
      onClosed: callback,
    }),
  ),
  clock: optional(objectWith('wallMs', 'monotonicMs', 'after', 'nextTurn')),
  random: callback,
});

/** What is wrong with the options themselves, before they are compared with the discovery document. */
export function gatewayOptionFaults(options: WebSocketGatewayOptions): readonly string[] {
  const fault = gatewayOptions(options, 'options');
  if (fault !== undefined) return [`${fault}.`];
  const { minPollMs = DEFAULT_POLL_MS.min, maxPollMs = DEFAULT_POLL_MS.max } = options;
  return minPollMs <= maxPollMs
    ? []
    : [`options.minPollMs is ${minPollMs}: use at most options.maxPollMs, which is ${maxPollMs}.`];
}

/** Shortest and longest pause between looks at a log. */
export const DEFAULT_POLL_MS = { min: 250, max: 1_000 } as const;

/** @see WebSocketGateway.drain */
export const drainOptions: OptionCheck = optionsOf<DrainOptions>({
  reason: optional(aText),
  drainTimeoutMs: optional(wholeNumber(0)),
  reconnectSpreadMs: optional(wholeNumber(0)),
  gatewayUrl: optional(
    expecting(
      'a wss URL',
      (value) => typeof value === 'string' && URL.canParse(value) && value.startsWith('wss:'),
    ),
  ),
});
