/** Followers with rostack-client, each with a connection of its own. */
import { type Credential, connect } from 'rostack-client';
import type { Point } from '../support/points.ts';
import { followForParent } from './follow-for-parent.ts';

export interface RostackPlan {
  readonly url: string;
  readonly token: string;
  readonly resource: string;
}

await followForParent<RostackPlan>(async ({ url, token, resource }, _, onValue) => {
  const credential: Credential = { method: 'shared_token', token };
  const client = await connect(url, credential, { allowInsecureLoopback: true });
  await new Promise<void>((resolve, reject) => {
    void (async () => {
      for await (const change of client.follow<Point>(resource)) {
        if (change.kind === 'live') resolve();
        else if (change.kind === 'updated') onValue(change.record.value);
      }
    })().catch(reject);
  });
});
