/**
 * Runs the convergence proof for as long as it is told: `pnpm soak --minutes 120`, or one seed again: `pnpm soak --seed 42`.
 * One line per seed; exit code 1 when one of them failed.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startOwnPostgresServer } from './databases/own-postgres-server.ts';
import { runSeed, type SeedReport } from './seed/run-seed.ts';
import { trustOnly } from './trust-certificate.ts';
import { World } from './world.ts';

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
  trustOnly(world.certificatePem);
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

function print(
  { seed, faults, wrong, changes, events, snapshots, settleMs }: SeedReport,
  world: World,
): void {
  const verdict = wrong.length === 0 ? 'converged' : 'FAILED';
  console.log(
    `${verdict} seed ${seed} (${database}): ${changes} changes, ${events} events, ${snapshots} snapshots, settled in ${settleMs} ms; ${faults.map(({ name }) => name).join(', ')}`,
  );
  if (wrong.length === 0) return;
  for (const fault of wrong.slice(0, 20)) console.log(`  ${fault}`);
  if (wrong.length > 20) console.log(`  and ${wrong.length - 20} more`);
  console.log(
    `  again: pnpm soak --seed ${seed} --database ${database} --gateways ${values.gateways} --server ${values.server} --follows ${values.follows} --faults-ms ${values['faults-ms']}`,
  );
  console.log(world.output);
}
