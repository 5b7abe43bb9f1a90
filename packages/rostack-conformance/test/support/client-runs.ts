import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runClientConformance } from '../../src/client/run-client-conformance.ts';
import type { ConformanceRun } from '../../src/run/run-with.ts';
import type { ClientMutant } from './client-mutants.ts';

export const ADAPTERS = join(import.meta.dirname, '../../adapters');
/** The adapters of clients that keep the protocol. */
export const GOOD_ADAPTERS = {
  'the plain one': join(ADAPTERS, 'plain.mjs'),
  'rostack-client': join(import.meta.dirname, 'rostack-client-adapter.ts'),
} as const;

/** The command that runs a script with this Node. */
export const nodeOf = (file: string): string => `"${process.execPath}" "${file}"`;

/** What is not kept, and whatever else is not as it should be. */
export const troubles = ({ verdicts, results }: ConformanceRun): string[] => [
  ...results.flatMap(({ check, error }) => (error === undefined ? [] : [`${check.name}: ${error.message}`])),
  ...verdicts.flatMap(({ requirement, failures }) =>
    failures.map(({ check, expected, got }) => `${requirement.id} (${check}): ${expected}\n${got}`),
  ),
];

/** What no client can be seen to break. */
export const UNJUDGED = ['ws.message.unsubscribe', 'decided.page-cursor.limit'];

/** All that these checks judge is kept. @param only names of checks or their groups. @default all */
export async function expectKept(
  adapter: keyof typeof GOOD_ADAPTERS,
  only?: readonly string[],
): Promise<void> {
  const run = await runClientConformance({
    adapter: nodeOf(GOOD_ADAPTERS[adapter]),
    only,
    patienceMs: 30_000,
  });
  expect(troubles(run)).toEqual([]);
  if (only !== undefined) {
    // What these checks do not judge is not seen.
    expect(run.results.map(({ check }) => check.name).sort()).toEqual([...only].sort());
    return;
  }
  const others = run.verdicts.filter(({ status }) => status !== 'pass');
  expect(others.map(({ requirement }) => requirement.id).filter((id) => !UNJUDGED.includes(id))).toEqual([]);
}

/** The plain client with the fault fails for it, and for nothing else. */
export async function expectFailing(mutant: ClientMutant): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'client-mutant-'));
  try {
    await cp(ADAPTERS, folder, { recursive: true });
    const source = await readFile(join(ADAPTERS, 'plain-client.mjs'), 'utf8');
    expect(source.split(mutant.from), 'the piece stands in the source once').toHaveLength(2);
    await writeFile(
      join(folder, 'plain-client.mjs'),
      source.replace(mutant.from, () => mutant.to),
    );
    // All checks for each fault take minutes: with ROSTACK_CONFORMANCE=whole, which shows that nothing else fails.
    const only = process.env.ROSTACK_CONFORMANCE === 'whole' ? undefined : mutant.fails;
    const adapter = nodeOf(join(folder, 'plain.mjs'));
    const run = await runClientConformance({ adapter, only, patienceMs: 8_000 });
    const failed = run.verdicts.filter(
      ({ requirement, failures }) => failures.length > 0 && !mutant.mayFail?.includes(requirement.id),
    );
    expect(failed.map(({ requirement }) => requirement.id).sort(), troubles(run).join('\n')).toEqual(
      [...mutant.fails].sort(),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
