import { type Dials, joinDials } from './dials.ts';
import type { Reported } from './messages.ts';
import type { Peers } from './peers.ts';
import type { CheckName, CheckResult, Readiness } from './readiness.ts';

/** Long enough for a busy worker: one that takes longer is stuck. */
const LIFE_TIMEOUT_MS = 5_000;
/** A readiness check waits for the store up to three times: for the logs, a trial write, and the rows in quarantine. */
const LOOKS_AT_STORE = 3;
const SLACK_MS = 1_000;

/** The health of a gateway, for orchestrators: of all of its processes together. */
export interface Health {
  /** Whether it should be sent requests, and why not. */
  look(): Promise<Readiness>;
  /** Values of the gateway that its readiness does not include. */
  read(): Promise<Dials>;
  /** Numbers of the workers that serve but do not answer. */
  silentWorkers(): Promise<readonly number[]>;
}

/**
 * The health of a gateway and of the other processes on its machine, if there are any.
 * @param storeTimeoutMs how long the store may take to answer
 */
export function machineHealth(
  { look, read }: Pick<Health, 'look' | 'read'>,
  machine: Peers | undefined,
  storeTimeoutMs: number,
): Health {
  if (machine === undefined) return { look, read, silentWorkers: async () => [] };
  return {
    look: async () =>
      joinReadiness(await machine.survey('readiness', storeTimeoutMs * LOOKS_AT_STORE + SLACK_MS)),
    async read() {
      const told = await machine.survey('dials', storeTimeoutMs + SLACK_MS);
      return joinDials(told.flatMap((each) => each.told ?? []));
    },
    async silentWorkers() {
      const lives = await machine.survey('life', LIFE_TIMEOUT_MS);
      return lives
        .filter(({ isServing, told }) => isServing && told === undefined)
        .map(({ worker }) => worker);
    },
  };
}

/** Ready if every worker is. A check fails if it fails for one worker, and its reason names the worker. */
function joinReadiness(workers: readonly Reported<Readiness>[]): Readiness {
  const checked = workers.flatMap(({ told }) => Object.keys(told?.checks ?? {}) as CheckName[]);
  const names = new Set<CheckName>([...checked, 'serving']);
  const reasons = new Map<CheckName, readonly string[]>();
  for (const name of names) {
    const failing = Map.groupBy(
      workers.filter((worker) => reasonOf(worker, name) !== undefined),
      (worker) => reasonOf(worker, name),
    );
    if (failing.size > 0)
      reasons.set(
        name,
        Array.from(failing, ([reason, who]) => `${namesOf(who)}: ${reason}`),
      );
  }
  const quarantinedRows = workers.find(({ told }) => told?.quarantinedRows)?.told?.quarantinedRows;
  // One of the workers follows the tables.
  const tables = workers.find(({ told }) => told?.tables)?.told?.tables;
  return {
    isReady: reasons.size === 0,
    checks: Object.fromEntries(
      Array.from(names, (name): [CheckName, CheckResult] => [name, reasons.has(name) ? 'failed' : 'ok']),
    ) as Record<CheckName, CheckResult>,
    reasons: Object.fromEntries(Array.from(reasons, ([name, texts]) => [name, texts.join(' ')])),
    ...(quarantinedRows && { quarantinedRows }),
    ...(tables && { tables }),
  };
}

function reasonOf({ isServing, told }: Reported<Readiness>, name: CheckName): string | undefined {
  if (told !== undefined) return told.reasons[name];
  if (name !== 'serving') return undefined;
  return isServing ? 'It does not answer.' : 'It does not serve.';
}

const namesOf = (workers: readonly Reported<Readiness>[]): string =>
  `${workers.length === 1 ? 'Worker' : 'Workers'} ${workers.map(({ worker }) => worker).join(', ')}`;
