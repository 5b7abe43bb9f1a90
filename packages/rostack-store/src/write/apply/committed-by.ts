import type { Change, CommittedChanges } from 'rostack-core';
import { toChange } from '../../log/read-changes.ts';
import type { LockedHead } from './lock-heads.ts';
import type { LogEntry, ResourcePlan } from './plan.ts';

/**
 * The changes that a transaction writes into a log, as readers will see them. Undefined if a state before a change, or the tag before, is
 * unknown.
 */
export function committedBy(
  { entries }: ResourcePlan,
  { name, tag: tagBefore, epoch }: LockedHead,
  nowMs: number,
): CommittedChanges | undefined {
  if (tagBefore === undefined) return undefined;
  const changes: Change[] = [];
  for (const entry of entries) {
    const change = changeOf(entry, name, nowMs);
    if (change === undefined) return undefined;
    changes.push(change);
  }
  return { epoch, tagBefore, changes };
}

function changeOf(
  { eventType, occurredAtMs, states, ...entry }: LogEntry,
  resource: string,
  nowMs: number,
): Change | undefined {
  if (states === undefined) return undefined;
  const { before = null, after = null } = states;
  return toChange(
    { ...entry, event_type: eventType, occurred_at_ms: occurredAtMs ?? nowMs, before, after },
    resource,
  );
}
