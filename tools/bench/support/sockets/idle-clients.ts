/** A process that opens the connections of a plan, says so, and keeps them until it is killed. */

import type { SinkPlan } from './frame-sink-worker.ts';
import { FrameSinks } from './frame-sinks.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as SinkPlan;
const sinks = new FrameSinks();
await sinks.open(plan);
process.stdout.write('ready\n');
