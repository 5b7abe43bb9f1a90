import { expect, test } from 'vitest';
import { CHECKS } from '../src/checks/checks.ts';
import { readRequirements, runConformance } from '../src/index.ts';
import { GATEWAY_MUTANTS } from './reference/mutants/gateway-mutants.ts';
import { ReferenceDriver } from './reference/reference-driver.ts';
import { ReferenceServer } from './reference/reference-server.ts';
import { hurried } from './support/hurried.ts';

/** What never comes is waited for in turns of this process, which take long on a busy machine. */
const PATIENCE = { timeout: 600_000 };

test.concurrent.each(Object.entries(GATEWAY_MUTANTS))('%s', PATIENCE, async (_, mutant) => {
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

/** What no mutant of the gateway can break, and why. */
const WITHOUT_MUTANT: Readonly<Record<string, string>> = {
  'err.ws.code.unsupported_encoding': 'the reference has both encodings, and no other is a valid message',
  'permission.subscribe-empty': 'all resources of the reference that have events need a permission',
  'ws.compression': 'the reference lists permessage-deflate',
  'ws.filtered.whole-record': 'the events of the reference carry their records',
};

test('every requirement that Follows and Survives judge is broken by a mutant, or cannot be', () => {
  const judged = CHECKS.filter(({ level }) => level === 'follows' || level === 'survives');
  const known = readRequirements('2026-08-13');
  const isJudged = (id: string) => known.get(id)?.silent !== true && known.get(id)?.level === 'must';
  const broken = new Set(Object.values(GATEWAY_MUTANTS).flatMap(({ fails }) => fails));
  const left = new Set(
    judged.flatMap(({ requirements }) => requirements).filter((id) => isJudged(id) && !broken.has(id)),
  );
  expect([...left].toSorted()).toEqual(Object.keys(WITHOUT_MUTANT).toSorted());
  expect([...broken].filter((id) => !known.has(id))).toEqual([]);
});
