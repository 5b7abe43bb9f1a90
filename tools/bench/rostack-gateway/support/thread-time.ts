import type { Profiler } from 'node:inspector';

/** What the main thread does: nothing of it is ready, it collects garbage, it writes to sockets, it writes changes, or anything else. */
export const ACTIVITIES = ['waits', 'collector', 'sockets', 'changes', 'other'] as const;
export type Activity = (typeof ACTIVITIES)[number];
export type ActivityTimes = Readonly<Record<Activity, number>>;

const SOCKETS = new Set(['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String']);
/** Functions that only writes of changes run through, in the store and in the admin listener. */
const CHANGES = /^(?:writeBatch|writeBatches|writeChanges|#commit|handOver)\d*$/;

interface Slice {
  readonly startMs: number;
  readonly endMs: number;
  readonly activity: Activity;
}

/** A profile as the time of one thread, in ms since 1970. */
export class ThreadTime {
  readonly #slices: readonly Slice[];

  constructor(profile: Profiler.Profile, epochOfClockMs: number) {
    const activities = activitiesOf(profile.nodes);
    const { samples = [], timeDeltas = [] } = profile;
    let atUs = profile.startTime;
    this.#slices = samples.map((node, index) => {
      atUs += timeDeltas[index] ?? 0;
      const startMs = atUs / 1_000 + epochOfClockMs;
      const endMs = startMs + (timeDeltas[index + 1] ?? 0) / 1_000;
      return { startMs, endMs, activity: activities.get(node) ?? 'other' };
    });
  }

  /** How long the thread did what, in ms, between two times. */
  between(fromMs: number, toMs: number): ActivityTimes {
    const times = { waits: 0, collector: 0, sockets: 0, changes: 0, other: 0 };
    for (let index = this.#firstAfter(fromMs); index < this.#slices.length; index += 1) {
      const slice = this.#slices[index];
      if (slice === undefined || slice.startMs >= toMs) break;
      times[slice.activity] += Math.min(slice.endMs, toMs) - Math.max(slice.startMs, fromMs);
    }
    return times;
  }

  #firstAfter(timeMs: number): number {
    let [low, high] = [0, this.#slices.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#slices[middle]?.endMs ?? 0) <= timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function activitiesOf(nodes: readonly Profiler.ProfileNode[]): ReadonlyMap<number, Activity> {
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const isChange = (id: number | undefined): boolean =>
    id !== undefined && (CHANGES.test(names.get(id) ?? '') || isChange(parents.get(id)));
  return new Map(
    nodes.map(({ id, callFrame: { functionName } }) => {
      if (functionName === '(idle)') return [id, 'waits'];
      if (functionName === '(garbage collector)') return [id, 'collector'];
      if (isChange(id)) return [id, 'changes'];
      return [id, SOCKETS.has(functionName) ? 'sockets' : 'other'];
    }),
  );
}
