/**
 * Runs rounds of what may happen to a primary, two standbys and six gateways: `pnpm replicas --rounds 1000`, with the same choices again
 * by `--seed`. One line each hundred rounds; exit code 1 when something was wrong.
 */
import { randomInt } from 'node:crypto';
import { setDefaultCACertificates } from 'node:tls';
import { parseArgs } from 'node:util';
import { createRandom } from 'test-support/random';
import { Rounds } from './run-rounds.ts';
import { Sites } from './sites.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string' },
  },
});
const SHOWN_FAULTS = 10;
const REPORTED_EVERY = 100;

process.exit((await run()) ? 0 : 1);

/** Returns whether all was right, once everything is closed. */
async function run(): Promise<boolean> {
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const startedMs = performance.now();
  const deadlineMs = startedMs + Number(values.minutes) * 60_000;
  await using sites = await Sites.start(createRandom(seed, 'front'));
  // No other certificate: with all the usual ones each connection costs more.
  setDefaultCACertificates([sites.certificatePem]);
  await using rounds = await Rounds.start(sites, seed);
  const report = await rounds.run(Number(values.rounds), deadlineMs, (round) => {
    if (round % REPORTED_EVERY === 0) console.log(`round ${round}, ${elapsed(startedMs)} s`);
  });
  const { wrong, ...counts } = report;
  const text = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  console.log(
    `${wrong.length === 0 ? 'held' : 'FAILED'} seed ${seed}, ${elapsed(startedMs)} s: ${text.join(', ')}`,
  );
  for (const fault of wrong.slice(0, SHOWN_FAULTS)) console.log(`  ${fault}`);
  if (wrong.length > 0)
    for (const { name, lines } of sites.all) console.log(`--- ${name}`, lines.slice(-20).join('\n'));
  return wrong.length === 0;
}

function elapsed(sinceMs: number): number {
  return Math.round((performance.now() - sinceMs) / 1_000);
}
