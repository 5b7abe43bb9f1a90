/** A follower that was offline, on a bare socket in a separate process: counts the frames that a plan waits for. */

import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';
import { FrameSinks } from '../../support/sockets/frame-sinks.ts';
import { measureReading } from './measure-reading.ts';

const { plan, events } = JSON.parse(process.argv[2] ?? '') as {
  readonly plan: SinkPlan;
  readonly events: number;
};

await using sinks = new FrameSinks();
await measureReading(async () => {
  await sinks.open({ ...plan, framesUntilReady: plan.framesUntilReady + events });
  return events;
});
