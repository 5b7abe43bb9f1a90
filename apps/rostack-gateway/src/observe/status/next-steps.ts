import type { Dials } from '../../cluster/peers/dials.ts';
import type { CheckName, Readiness, TableCondition } from '../../cluster/peers/readiness.ts';
import { describeExpiry, expiresSoon } from '../../serving/certificates/certificate-watch.ts';

/** A follower with a smaller margin is about to lose its place. */
const SHORT_MARGIN_CHANGES = 1_000;

/** What to do when a check fails. */
const BY_CHECK: Readonly<Record<CheckName, string>> = {
  migrations: 'wait until it has started; if that takes long, read its log',
  store: 'see that the database runs and can be reached',
  writes: 'see whether the disk is full, and whether the database takes writes',
  tail: 'see that the database answers in time; with many changes, start more gateways',
  replay: 'see that the database answers in time',
  serving: 'wait; if that takes long, read its log',
};

/** What an operator should do, the most urgent first. @param nowMs milliseconds since 1970 */
export function nextSteps(
  { reasons, tables = {}, quarantinedRows = {} }: Readiness,
  { certificateExpiresAtMs, followers }: Dials,
  nowMs: number,
): readonly string[] {
  const steps: string[] = [];
  for (const [check, reason] of Object.entries(reasons))
    steps.push(`${reason} ${BY_CHECK[check as CheckName]}`);
  for (const [resource, { state, reason }] of Object.entries(tables))
    if (needsMending(state)) steps.push(`${resource} is ${state}: ${reason ?? 'see the log'}`);
  if (certificateExpiresAtMs !== undefined && expiresSoon(certificateExpiresAtMs, nowMs))
    steps.push(`the certificate ${describeExpiry(certificateExpiresAtMs, nowMs)}: renew it`);
  for (const [resource, rows] of Object.entries(quarantinedRows))
    steps.push(
      `${resource} refuses rows of its table (${rows} now): correct the rows, or the schema; the log says which and why`,
    );
  for (const [resource, { behindChanges = 0, marginChanges }] of Object.entries(followers))
    if (behindChanges > 0 && marginChanges !== undefined && marginChanges < SHORT_MARGIN_CHANGES)
      steps.push(
        `a follower of ${resource} loses its place after ${marginChanges} more changes: raise retention, or see why it is slow`,
      );
  return steps;
}

const needsMending = (state: TableCondition['state']): boolean => state === 'failing' || state === 'stopped';
