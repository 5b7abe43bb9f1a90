import { discoveryChecks } from './checks/discovery-checks.ts';
import { followChecks } from './checks/follow-checks.ts';
import { heartbeatChecks } from './checks/heartbeat-checks.ts';
import { messageChecks } from './checks/message-checks.ts';
import { reconnectChecks } from './checks/reconnect-checks.ts';
import { snapshotChecks } from './checks/snapshot-checks.ts';
import { stateChecks } from './checks/state-checks.ts';
import type { ClientCheck } from './scene/client-check.ts';
import { WIRE_IDS } from './scene/scene.ts';

/** Every check of a client, in the order of the report. */
export const CLIENT_CHECKS: readonly ClientCheck[] = [
  ...followChecks,
  ...reconnectChecks,
  ...messageChecks,
  ...stateChecks,
  ...snapshotChecks,
  ...heartbeatChecks,
  ...discoveryChecks,
];

/** Which checks judge which requirements of a client; `client` means every check of a client. */
export const CLIENT_JUDGEMENTS: readonly Pick<ClientCheck, 'name' | 'requirements'>[] = [
  ...CLIENT_CHECKS,
  { name: 'client', requirements: WIRE_IDS },
];
