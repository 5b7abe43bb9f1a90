import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../src/clock/clock.ts';
import { runConformance } from '../src/index.ts';
import { GATEWAY_MUTANTS } from './reference/mutants/gateway-mutants.ts';
import { ReferenceDriver } from './reference/reference-driver.ts';
import { ReferenceServer } from './reference/reference-server.ts';

/** A clock that runs so much faster, deadlines and all. */
function hurried(patience: number): Clock {
  const startMs = systemClock.nowMs();
  return {
    nowMs: () => startMs + (systemClock.nowMs() - startMs) / patience,
    wait: (ms, signal) => systemClock.wait(ms * patience, signal),
  };
}

test.concurrent.each(Object.entries(GATEWAY_MUTANTS))('%s', async (_, mutant) => {
  await using reference = await ReferenceServer.start({ mutant });
  await using driver = new ReferenceDriver(reference);
  const { verdicts, results } = await runConformance({
    ...reference.target,
    driver,
    clock: hurried(mutant.patience ?? 1),
    only: mutant.checks,
  });
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  const broken = verdicts.filter(({ failures }) => failures.length > 0);
  const said = broken.map(({ requirement, failures }) => [
    requirement.id,
    failures[0]?.expected,
    failures[0]?.got,
  ]);
  expect(broken.map(({ requirement }) => requirement.id).sort(), JSON.stringify(said, null, 1)).toEqual(
    [...mutant.fails].sort(),
  );
});
