import { readFileSync } from 'node:fs';
import { MemorySharedTokenStore } from 'rostack-server';
import { station } from './observatory.ts';
import { TestGateway } from './test-gateway.ts';

/** What the process is told, as JSON in its first argument. */
export interface WritingGatewayOptions {
  readonly port: number;
  readonly storeUrl: string;
  readonly keyFile: string;
  readonly certificateFile: string;
  readonly tokenId: string;
  readonly verifier: string;
  /** Where the numbers of the stations go on. */
  readonly first: number;
}

/**
 * A gateway in a process of its own that writes stations until something comes in on stdin, and serves until it is killed; prints `up`, the number of
 * each batch, and `stopped`.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as WritingGatewayOptions;
const { tokenId, verifier, first } = options;
const gateway = await TestGateway.start({
  port: options.port,
  storeUrl: options.storeUrl,
  certificate: {
    key: readFileSync(options.keyFile, 'utf8'),
    cert: readFileSync(options.certificateFile, 'utf8'),
  },
  tokens: new MemorySharedTokenStore([
    {
      tokenId,
      verifier: Buffer.from(verifier, 'hex'),
      subject: 'someone',
      grants: ['stations:read', 'memos:read'],
    },
  ]),
});
const stopped = new AbortController();
process.stdin.once('data', () => stopped.abort());
process.stdout.write('up\n');
for (let batch = first; !stopped.signal.aborted; batch += 1) {
  const stations = Array.from({ length: 5 }, (_, index) =>
    station((batch * 3 + index * 7) % 60, {
      name: `in batch ${batch}`,
      altitude: (batch * 31 + index * 97) % 500,
    }),
  );
  await gateway.put('stations', ...stations);
  if (batch % 3 === 0) await gateway.remove('stations', station((batch * 11) % 60).id);
  process.stdout.write(`${batch}\n`);
  await new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
process.stdout.write('stopped\n');
