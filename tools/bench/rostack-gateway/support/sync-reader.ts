/** A client that follows the readings for the first time, with its set in memory, until it is live. */
import { connect } from 'rostack-client';
import { parallelSnapshot } from 'rostack-client/snapshot';
import { measureReading } from './measure-reading.ts';

const { url, token, ranges } = JSON.parse(process.argv[2] ?? '') as {
  readonly url: string;
  readonly token: string;
  /** 1 means one chain of pages. */
  readonly ranges: number;
};

await measureReading(async () => {
  await using client = await connect(
    url,
    { method: 'shared_token', token },
    { allowInsecureLoopback: true, limits: { maxSnapshotRecords: 100_000_000 } },
  );
  await using follow = client.follow(
    'readings',
    ranges === 1 ? {} : { snapshot: parallelSnapshot({ ranges }) },
  );
  for await (const { kind } of follow) if (kind === 'live') break;
  return follow.records.size;
});
