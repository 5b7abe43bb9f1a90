import { AUTHENTICATION } from './gateway/authentication-mutants.ts';
import { CHANGES } from './gateway/change-mutants.ts';
import { DEFINITIONS } from './gateway/definition-mutants.ts';
import { FILTERED } from './gateway/filtered-mutants.ts';
import type { GatewayMutant } from './gateway/gateway-mutant.ts';
import { HEARTBEATS } from './gateway/heartbeat-mutants.ts';
import { MESSAGES } from './gateway/message-mutants.ts';
import { GRANTED, OTHER_CODES, UNNAMED } from './gateway/refusal-mutants.ts';
import { REPLAYS } from './gateway/replay-mutants.ts';
import { SURVIVAL } from './gateway/survival-mutants.ts';

/** Faults of what is said on the gateway. */
export const GATEWAY_MUTANTS: Readonly<Record<string, GatewayMutant>> = {
  ...OTHER_CODES,
  ...GRANTED,
  ...UNNAMED,
  ...AUTHENTICATION,
  ...MESSAGES,
  ...DEFINITIONS,
  ...HEARTBEATS,
  ...CHANGES,
  ...FILTERED,
  ...REPLAYS,
  ...SURVIVAL,
};
