/**
 * Fuzzes a live gateway for as long as asked and says how its memory goes:
 * `node --conditions=workspace-source --expose-gc test/fuzz-gateway.ts [frames] [seed]`, 1,000,000 frames by default.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { fuzzGateway } from './support/frame-fuzzer.ts';
import { GatewayHarness } from './support/gateway-harness.ts';

const MANY = { burst: 1_000_000, perSecond: 1_000_000 };
const ROUNDS = 10;
const frames = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 1);

async function usedMegabytes(): Promise<number> {
  await wait(200);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}

await using harness = await GatewayHarness.start({
  gateway: { limits: { messageRate: MANY, subscribeRate: MANY, maxInvalidMessages: 200 } },
});
const { token } = harness.token({ subject: 'fuzzer' });
const closes = new Map<number, number>();
let violations = 0;
for (let round = 1; round <= ROUNDS; round += 1) {
  const report = await fuzzGateway({
    url: harness.url,
    token: () => token,
    frames: Math.ceil(frames / ROUNDS),
    seed: seed * ROUNDS + round,
  });
  for (const [code, count] of report.closes) closes.set(code, (closes.get(code) ?? 0) + count);
  for (const violation of report.violations) process.stdout.write(`violation: ${violation}\n`);
  violations += report.violations.length;
  const megabytes = (await usedMegabytes()).toFixed(1);
  process.stdout.write(
    `${round}/${ROUNDS}: ${report.framesSent} frames, ${report.connections} connections, ${report.messagesReceived} answers, ${megabytes} MB\n`,
  );
}
process.stdout.write(`closes: ${JSON.stringify([...closes].sort(([a], [b]) => a - b))}\n`);
process.stdout.write(`alarms: ${harness.alarms.length}, violations: ${violations}\n`);
process.exitCode = violations + harness.alarms.length > 0 ? 1 : 0;
