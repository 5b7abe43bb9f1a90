import { setTimeout as delay } from 'node:timers/promises';
import type { Dials, FollowedResource } from '../../cluster/peers/dials.ts';
import type { Running } from '../health/readiness.ts';
import type { PrincipalTally } from './principal-tally.ts';
import type { RecentAlarms } from './recent-alarms.ts';

/** Reads the dials of this process. @param storeTimeoutMs how long the store may take to answer */
export async function readDials(
  running: Running,
  principals: PrincipalTally,
  { alarms }: RecentAlarms,
  storeTimeoutMs: number,
): Promise<Dials> {
  return {
    certificateExpiresAtMs: running.certificateExpiresAtMs,
    connections: running.status?.connections ?? 0,
    followers: await readFollowers(running, storeTimeoutMs),
    principals: principals.top(),
    alarms,
  };
}

async function readFollowers(
  { store, status }: Running,
  storeTimeoutMs: number,
): Promise<Readonly<Record<string, FollowedResource>>> {
  const followed = (status?.resources ?? []).filter(({ subscriptions }) => subscriptions > 0);
  const late = delay(storeTimeoutMs, undefined, { ref: false });
  return Object.fromEntries(
    await Promise.all(
      followed.map(async ({ resource, subscriptions, oldestPosition }) => {
        const asking = store?.source(resource).head();
        const head = await Promise.race([asking, late]).catch(() => undefined);
        const isKnown = head !== undefined && oldestPosition !== undefined;
        const told: FollowedResource = {
          subscriptions,
          behindChanges: isKnown ? Math.max(0, head.position - oldestPosition) : undefined,
          marginChanges: isKnown ? oldestPosition - head.floor : undefined,
        };
        return [resource, told] as const;
      }),
    ),
  );
}
