/** Followers that come back from a cursor all at once, on bare sockets. Ends once all of them are at the head. */
import { connect } from 'node:net';
import { upgradeBare } from '../../support/sockets/bare-upgrade.ts';
import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';
import { maskedText } from '../../support/sockets/frames.ts';
import { measureReading } from './measure-reading.ts';

export interface ReturnPlan {
  /** Where and how to connect; all connect at once. */
  readonly plan: SinkPlan;
  /** Sent in place of the plan's second greeting, in turn: one for each follower would be too long for a command line. */
  readonly subscribes: readonly string[];
}

const { plan, subscribes } = JSON.parse(process.argv[2] ?? '') as ReturnPlan;
const AT_THE_HEAD = Buffer.from('{"type":"replay_complete"');
const REFUSED = Buffer.from('{"type":"error"');
const MAX_ANSWER_BYTES = 200;
const [authenticate = ''] = plan.greetings;

const begins = (bytes: Buffer, start: number, text: Buffer): boolean =>
  bytes.subarray(start, start + text.byteLength).equals(text);

function comeBack(subscribe: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(plan.port, '127.0.0.1');
    let frames = 0;
    const onFrame = (frameBytes: number, start: number, bytes: Buffer): void => {
      frames += 1;
      if (frames === 1) socket.write(maskedText(subscribe));
      // A longer frame is an event.
      else if (frameBytes > MAX_ANSWER_BYTES) return;
      else if (begins(bytes, start, AT_THE_HEAD)) resolve(frames - 3);
      else if (begins(bytes, start, REFUSED))
        reject(new Error(bytes.toString('utf8', start, start + frameBytes)));
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`a follower was closed after ${frames} frames`)));
    const onUpgraded = (): void => void socket.write(maskedText(authenticate));
    upgradeBare(socket, { ...plan, subprotocol: 'rostack.v1' }, { onUpgraded, onFrame });
  });
}

await measureReading(async () => {
  const followers = Array.from({ length: plan.connections }, (_, index) =>
    comeBack(subscribes[index % subscribes.length] ?? ''),
  );
  const received = await Promise.all(followers);
  return received.reduce((sum, each) => sum + each, 0);
});
process.exit();
