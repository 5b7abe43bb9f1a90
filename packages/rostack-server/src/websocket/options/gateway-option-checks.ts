import {
  aFunction,
  anInteger,
  checksOf,
  expecting,
  type OptionCheck,
  type OptionChecks,
  objectWith,
  optional,
  optionsOf,
  withDefaults,
} from 'rostack-core';
import { servedOptions, sourcesFault } from '../../options/served-options.ts';
import {
  DRAIN_OPTIONS,
  type DrainOptions,
  GATEWAY_NUMBERS,
  type GatewaySettings,
  type WebSocketGatewayOptions,
} from './gateway-options.ts';
import { WEBSOCKET_LIMITS, type WebSocketLimits } from './websocket-limits.ts';

const callback: OptionCheck = optional(aFunction);

/** @see GatewaySettings */
export const gatewaySettings: OptionChecks<GatewaySettings> = {
  ...checksOf(GATEWAY_NUMBERS),
  allowedOrigins: optional(
    expecting(
      "'*' or an array of origins",
      (value) => value === '*' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
    ),
  ),
  refuse: callback,
  limits: optional(optionsOf<WebSocketLimits>(checksOf(WEBSOCKET_LIMITS))),
  sharedConnectionLimits: optional(objectWith('acquire', 'release')),
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
  const { minPollMs, maxPollMs } = withDefaults(GATEWAY_NUMBERS, options);
  return minPollMs <= maxPollMs
    ? []
    : [`options.minPollMs is ${minPollMs}: use at most options.maxPollMs, which is ${maxPollMs}.`];
}

/** Beginning of the message about wrong options. */
export const REFUSED = 'The gateway cannot start';

/** @see WebSocketGateway.drain */
export const drainOptions: OptionCheck = optionsOf<DrainOptions>({
  ...checksOf(DRAIN_OPTIONS),
  reconnectSpreadMs: optional(anInteger(0)),
  gatewayUrl: optional(
    expecting(
      'a wss URL',
      (value) => typeof value === 'string' && URL.canParse(value) && value.startsWith('wss:'),
    ),
  ),
});
