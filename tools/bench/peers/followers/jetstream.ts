/** Followers that watch a key-value bucket of JetStream over WebSocket, each with a connection of its own, and keep what they are told. */
import { peerModule } from '../published/install-peers.ts';
import type { KvModule, NatsModule } from '../published/nats-modules.ts';
import type { Point } from '../support/points.ts';
import { followForParent } from './follow-for-parent.ts';

export interface JetStreamPlan {
  readonly url: string;
  readonly bucket: string;
}

const { wsconnect } = await peerModule<NatsModule>('@nats-io/nats-core');
const { Kvm } = await peerModule<KvModule>('@nats-io/kv');

await followForParent<JetStreamPlan>(async ({ url, bucket }, _, onValue) => {
  const connection = await wsconnect({ servers: url });
  const changes = await (await new Kvm(connection).open(bucket)).watch();
  const points = new Map<string, Point>();
  await new Promise<void>((resolve, reject) => {
    void (async () => {
      let isLive = false;
      for await (const entry of changes) {
        const point = JSON.parse(entry.string()) as Point;
        points.set(point.id, point);
        if (isLive) onValue(point.value);
        else if (entry.delta === 0) {
          isLive = true;
          resolve();
        }
      }
    })().catch(reject);
  });
});
