import type { Check } from '../check/check.ts';
import { firstMessages } from './first-messages.ts';
import { heartbeat } from './heartbeat.ts';
import { idempotence } from './idempotence.ts';
import { malformedMessages } from './malformed.ts';
import { reauthentication } from './reauthentication.ts';
import { refusedSubscriptions } from './refusals.ts';
import { upgrade } from './upgrade.ts';

export const followsChecks: readonly Check[] = [
  upgrade,
  firstMessages,
  reauthentication,
  malformedMessages,
  refusedSubscriptions,
  idempotence,
  heartbeat,
];
