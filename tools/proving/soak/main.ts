/**
 * Runs the convergence proof for as long as it is told: `pnpm soak --minutes 120`, or one seed again: `pnpm soak --seed 42`.
 * One line per seed; exit code 1 when one of them failed.
 */
import { randomInt } from 'node:crypto';
import { setDefaultCACertificates } from 'node:tls';
import { parseArgs } from 'node:util';
import { describeVerdict } from '../follows/verdict.ts';
import { startOwnPostgresServer } from './databases/own-postgres-server.ts';
import { runSeed, type SeedReport } from './seed/run-seed.ts';
import { World } from './world/world.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    follows: { type: 'string', default: '200' },
    database: { type: 'string', default: 'postgres' },
    gateways: { type: 'string', default: '2' },
    server: { type: 'string', default: 'shared' },
    'faults-ms': { type: 'string', default: '10000' },
  },
});
const { database } = values;
if (database !== 'postgres' && database !== 'sqlite') throw new Error('--database is postgres or sqlite');
if (values.server !== 'own' && values.server !== 'shared') throw new Error('--server is own or shared');

process.exit((await soak(database)) === 0 ? 0 : 1);

/** Returns how many seeds failed, once everything is closed. */
async function soak(database: 'postgres' | 'sqlite'): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const own =
    values.server === 'own' && database === 'postgres'
      ? stack.use(await startOwnPostgresServer())
      : undefined;
  const world = stack.use(
    await World.create({
      database,
      gateways: Number(values.gateways),
      postgresUrl: own?.url ?? process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test',
      restartServer: own?.restart,
    }),
  );
  // No other certificate: with all the usual ones each connection costs more.
  setDefaultCACertificates([world.certificatePem]);
  const deadline = performance.now() + Number(values.minutes) * 60_000;
  let failed = 0;
  do {
    const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
    const report = await runSeed(world, {
      seed,
      follows: Number(values.follows),
      faultsMs: Number(values['faults-ms']),
      settleTimeoutMs: 60_000,
    });
    print(report, world);
    if (report.wrong.length > 0) failed += 1;
  } while (values.seed === undefined && performance.now() < deadline);
  console.log(failed === 0 ? 'every seed converged' : `${failed} seeds failed`);
  return failed;
}

function print(report: SeedReport, world: World): void {
  const { seed, faults, settleMs, wrong } = report;
  const options = Object.entries(values).filter(([name]) => name !== 'minutes' && name !== 'seed');
  const again = ['pnpm soak', `--seed ${seed}`, ...options.map(([name, value]) => `--${name} ${value}`)];
  const names = faults.map(({ name }) => name).join(', ');
  console.log(describeVerdict(report, `settled in ${settleMs} ms; ${names}`, again.join(' ')));
  if (wrong.length > 0) console.log(world.output);
}
