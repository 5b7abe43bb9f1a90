import { once } from 'node:events';
import { sharedNowMs } from '../support/clock.ts';

/** What the benchmark asks a process of followers. */
export type FollowersRequest =
  | { readonly kind: 'open'; readonly followers: number; readonly plan: object }
  /** Answer once as many events have come in all. */
  | { readonly kind: 'await'; readonly events: number }
  /** Answer with what has come since this was asked last. */
  | { readonly kind: 'take' };

/** Events in the order in which they came: which value, and when. */
export interface Seen {
  readonly values: readonly number[];
  readonly atMs: readonly number[];
  /** Of this process since it was asked last. */
  readonly cpuUs: number;
}

/** Resolves when the follower has the present state. @param onValue called with what each change wrote */
export type OpenFollower<Plan> = (
  plan: Plan,
  number: number,
  onValue: (value: number) => void,
) => Promise<void>;

/** Opens followers in this process and tells the parent what they see, until it disconnects. */
export async function followForParent<Plan>(open: OpenFollower<Plan>): Promise<void> {
  let values: number[] = [];
  let atMs: number[] = [];
  let events = 0;
  let awaited = Number.POSITIVE_INFINITY;
  let cpu = process.cpuUsage();
  const onValue = (value: number): void => {
    values.push(value);
    atMs.push(sharedNowMs());
    events += 1;
    if (events >= awaited) arrive();
  };
  const arrive = (): void => {
    awaited = Number.POSITIVE_INFINITY;
    process.send?.('arrived');
  };
  process.on('message', (request: FollowersRequest) => {
    if (request.kind === 'open') {
      const { followers, plan } = request;
      const all = Array.from({ length: followers }, (_, number) => open(plan as Plan, number, onValue));
      void Promise.all(all).then(() => process.send?.('live'));
    } else if (request.kind === 'await') {
      awaited = request.events;
      if (events >= awaited) arrive();
    } else {
      const { user, system } = process.cpuUsage(cpu);
      process.send?.({ values, atMs, cpuUs: user + system } satisfies Seen);
      [values, atMs, cpu] = [[], [], process.cpuUsage()];
    }
  });
  process.send?.('loaded');
  await once(process, 'disconnect');
  process.exit();
}
