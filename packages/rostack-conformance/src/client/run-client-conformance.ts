import { KitError } from '../base/kit-error.ts';
import { readRequirements } from '../report/requirements/read-requirements.ts';
import type { ConformanceRun, RunObserver } from '../run/run-with.ts';
import { selectChecks } from '../run/run-with.ts';
import { verdictOn } from '../run/verdict.ts';
import { CLIENT_CHECKS, CLIENT_JUDGEMENTS } from './client-checks.ts';
import { runClientChecks } from './run-client-checks.ts';
import type { ClientCheck } from './scene/client-check.ts';

/** A client to check. */
export interface ClientTarget {
  /** A command line that starts its adapter. */
  readonly adapter: string;
  /** An integer that determines all random choices. @default 1 */
  readonly seed?: number | undefined;
  /** Names of checks, ids of requirements, or prefixes of either that end before a dot. @default all */
  readonly only?: readonly string[] | undefined;
  /** How long the client may take for anything that it has to do, in milliseconds. @default 10000 */
  readonly patienceMs?: number | undefined;
  /** How many checks run at the same time. @default 6 */
  readonly concurrency?: number | undefined;
  /** Cancels the run and ends the adapter's processes. */
  readonly signal?: AbortSignal | undefined;
}

/** The checks of a client that were selected. */
export const selectClientChecks = (only: readonly string[] | undefined): readonly ClientCheck[] =>
  selectChecks(
    CLIENT_CHECKS.map((check) => ({ ...check, level: 'follows' as const })),
    { only },
  );

/**
 * Checks a client against scripted servers on this computer. Faults of the client are in the result; nothing is thrown for them.
 * @throws KitError `usage` without an adapter; the signal's reason
 */
export async function runClientConformance(
  target: ClientTarget,
  { onCheck = () => {} }: Pick<RunObserver, 'onCheck'> = {},
): Promise<ConformanceRun> {
  if (typeof Object(target).adapter !== 'string') {
    throw new KitError('usage', 'Pass a target with an adapter, such as "node adapter.mjs".');
  }
  const { adapter, seed = 1, only, patienceMs = 10_000, concurrency = 6 } = target;
  const { signal = new AbortController().signal } = target;
  const startedMs = Date.now();
  const { results, requests } = await runClientChecks(selectClientChecks(only), {
    command: adapter,
    seed,
    patienceMs,
    concurrency,
    signal,
    onCheck,
  });
  const judged = new Set(CLIENT_JUDGEMENTS.flatMap(({ requirements }) => requirements));
  const requirements = new Map([...readRequirements('2026-08-12'), ...readRequirements('2026-08-13')]);
  const verdicts = [...requirements.values()]
    .filter(({ id, party }) => party === 'client' || judged.has(id))
    .map((requirement) => verdictOn(requirement, results));
  return {
    target: { url: adapter },
    release: '2026-08-13',
    implementation: undefined,
    seed,
    startedMs,
    durationMs: Date.now() - startedMs,
    requests,
    results,
    verdicts,
  };
}
