/**
 * One follower that was away catches up: changes per second, from its cursor to the head, of processor time of the thread
 * that serves, by the clock too. Half of the changes are of records that came since. The first round is not counted.
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { median, spreadOf } from '../support/numbers.ts';
import { threadUs } from '../support/processor.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { FrameSinks } from '../support/sockets/frame-sinks.ts';
import { point, type ServedPoints, servePoints } from './support/served-points.ts';

const CHANGES = 40_000;
const BATCH = 200;
const ROUNDS = 5;
const BAR = 20_000;

/** The cursor of an event that a follower is sent now. */
async function cursorNow(gateway: ServedPoints): Promise<string> {
  const { port, path, subprotocol, greetings } = gateway.plan(1, {});
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, subprotocol);
  await once(socket, 'open');
  for (const greeting of greetings) {
    socket.send(greeting);
    await once(socket, 'message');
  }
  const received = once(socket, 'message');
  await gateway.put(point('first', 0));
  const [frame] = (await received) as [Buffer];
  socket.terminate();
  return (JSON.parse(frame.toString()) as { readonly cursor: string }).cursor;
}

await using sinks = new FrameSinks();
await using gateway = await servePoints();
const cursor = await cursorNow(gateway);
for (let done = 0; done < CHANGES; done += BATCH) {
  const value = (index: number): number => (done + index) % (CHANGES / 2);
  await gateway.put(...Array.from({ length: BATCH }, (_, index) => point(`p${value(index)}`, done + index)));
}

async function catchUp(): Promise<{ readonly byProcessor: number; readonly byClock: number }> {
  const plan = gateway.plan(1, { cursor });
  const startedMs = performance.now();
  let id = 0;
  const usedUs = await threadUs(async () => {
    id = await sinks.open({ ...plan, framesUntilReady: plan.framesUntilReady + CHANGES });
  });
  const tookMs = performance.now() - startedMs;
  await sinks.close(id);
  return { byProcessor: (CHANGES * 1e6) / usedUs, byClock: (CHANGES * 1e3) / tookMs };
}

const rounds = (await runRounds({ catchUp }, { rounds: ROUNDS })).catchUp;
const byProcessor = rounds.map((round) => round.byProcessor);
report('rostack-server/gateway-catch-up', {
  ratio: median(byProcessor),
  bar: BAR,
  want: 'at least',
  note: `changes/s of processor time, rounds ${spreadOf(byProcessor, 0)}; by the clock ${Math.round(median(rounds.map(({ byClock }) => byClock)))}`,
});
