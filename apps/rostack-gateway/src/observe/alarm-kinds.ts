import type { GatewayAlarm } from 'rostack-server';
import type { StoreAlarm } from 'rostack-store';

/** The kinds of alarms: those of the WebSocket gateway, of the store, and of this program. */
export type AlarmKind =
  | GatewayAlarm['kind']
  | StoreAlarm['code']
  | 'certificate_expires'
  | 'changes_lost'
  | 'rates_not_shared';

const KINDS: Readonly<Record<AlarmKind, true>> = {
  attachment_stopped: true,
  authenticator_fault: true,
  callback_failed: true,
  certificate_expires: true,
  changes_lost: true,
  connection_failed: true,
  cursor_keys_differ: true,
  database_moved: true,
  event_quarantined: true,
  foreign_cursor: true,
  log_hole: true,
  log_reset: true,
  move_failed: true,
  move_resumed: true,
  out_of_order: true,
  prune_failed: true,
  rate_limiter_fault: true,
  rates_not_shared: true,
  reader_failed: true,
  replay_stalled: true,
  rows_quarantined: true,
  source_fault: true,
  subscription_failed: true,
  upgrade_failed: true,
  wal_damaged: true,
  watch_failed: true,
};

/** All kinds of alarms. */
export const ALARM_KINDS = Object.keys(KINDS) as readonly AlarmKind[];
