import {
  aFunction,
  anInteger,
  aString,
  expecting,
  type OptionCheck,
  type OptionChecks,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core';
import { aPositiveNumber } from '../../guard/option-checks.ts';
import { servedOptions, sourcesFault } from '../../options/served-options.ts';
import type { DrainOptions, GatewaySettings, WebSocketGatewayOptions } from './gateway-options.ts';
import type { Rate, WebSocketLimits } from './websocket-limits.ts';

const MAX_RECHECK_MS = 5_000;
const MIN_RECHECK_MS = 100;

const count = optional(anInteger(1));
const rate = optional(optionsOf<Rate>({ burst: aPositiveNumber, perSecond: aPositiveNumber }));
const callback: OptionCheck = optional(aFunction);

/** @see GatewaySettings */
export const gatewaySettings: OptionChecks<GatewaySettings> = {
  allowedOrigins: optional(
    expecting(
      "'*' or an array of origins",
      (value) => value === '*' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
    ),
  ),
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
  sharedConnectionLimits: optional(objectWith('acquire', 'release')),
  minPollMs: count,
  maxPollMs: count,
  ringMaxChanges: count,
  ringMaxBytes: count,
  recheckIntervalMs: optional(anInteger(MIN_RECHECK_MS, MAX_RECHECK_MS)),
};

const gatewayOptions: OptionCheck = optionsOf<WebSocketGatewayOptions>({
  ...servedOptions,
  ...gatewaySettings,
  clientAddress: callback,
  clock: optional(objectWith('wallMs', 'monotonicMs', 'after', 'nextTurn')),
  random: callback,
});

/** What is wrong with the options themselves, before they are compared with the discovery document. */
export function gatewayOptionFaults(options: WebSocketGatewayOptions): readonly string[] {
  const fault = gatewayOptions(options, 'options');
  if (fault !== undefined) return [`${fault}.`];
  const sourceFault = sourcesFault(options);
  if (sourceFault !== undefined) return [sourceFault];
  const { minPollMs = DEFAULT_POLL_MS.min, maxPollMs = DEFAULT_POLL_MS.max } = options;
  return minPollMs <= maxPollMs
    ? []
    : [`options.minPollMs is ${minPollMs}: use at most options.maxPollMs, which is ${maxPollMs}.`];
}

/** Beginning of the message about wrong options. */
export const REFUSED = 'The gateway cannot start';

/** Shortest and longest pause between looks at a log. */
export const DEFAULT_POLL_MS = { min: 250, max: 1_000 } as const;

/** @see WebSocketGateway.drain */
export const drainOptions: OptionCheck = optionsOf<DrainOptions>({
  reason: optional(aString),
  drainTimeoutMs: optional(anInteger(0)),
  reconnectSpreadMs: optional(anInteger(0)),
  gatewayUrl: optional(
    expecting(
      'a wss URL',
      (value) => typeof value === 'string' && URL.canParse(value) && value.startsWith('wss:'),
    ),
  ),
});
