import type { Check } from '../../check/check.ts';
import { changes } from './delivery/changes.ts';
import { cursors } from './delivery/cursors.ts';
import { filtered } from './delivery/filtered.ts';
import { idempotence } from './delivery/idempotence.ts';
import { losses } from './delivery/losses.ts';
import { overtaking } from './delivery/overtaking.ts';
import { resume } from './delivery/resume.ts';
import { seam } from './delivery/seam.ts';
import { firstMessages } from './session/first-messages.ts';
import { heartbeat } from './session/heartbeat.ts';
import { malformedMessages } from './session/malformed.ts';
import { permissions } from './session/permissions.ts';
import { reauthentication } from './session/reauthentication.ts';
import { refusedSubscriptions } from './session/refusals.ts';
import { rights } from './session/rights.ts';
import { upgrade } from './session/upgrade.ts';

export const followsChecks: readonly Check[] = [
  upgrade,
  firstMessages,
  reauthentication,
  malformedMessages,
  refusedSubscriptions,
  idempotence,
  cursors,
  heartbeat,
  changes,
  filtered,
  permissions,
  resume,
  overtaking,
  seam,
  losses,
  rights,
];
