import type { Check } from '../../check/check.ts';
import { changes } from './changes.ts';
import { cursors } from './cursors.ts';
import { filtered } from './filtered.ts';
import { firstMessages } from './first-messages.ts';
import { heartbeat } from './heartbeat.ts';
import { idempotence } from './idempotence.ts';
import { losses } from './losses.ts';
import { malformedMessages } from './malformed.ts';
import { overtaking } from './overtaking.ts';
import { permissions } from './permissions.ts';
import { reauthentication } from './reauthentication.ts';
import { refusedSubscriptions } from './refusals.ts';
import { resume } from './resume.ts';
import { rights } from './rights.ts';
import { seam } from './seam.ts';
import { upgrade } from './upgrade.ts';

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
