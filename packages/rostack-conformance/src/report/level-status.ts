import { LEVELS, type Level } from '../check/level.ts';
import type { ConformanceRun } from '../run/run-with.ts';

/**
 * The status of a level. `kept`: nothing of it and of the levels before it is broken, and its core was looked at. `partly`: nothing is broken,
 * but not all of the core was seen. `none`: nothing of it was checked.
 */
export type LevelStatus = 'kept' | 'partly' | 'broken' | 'none';

type Core = Readonly<Record<Level, readonly string[]>>;

/** What a server has to have shown before a level can be called kept. */
const CORE: Core = {
  speaks: ['discovery.path', 'discovery.closed', 'err.http.every-failure', 'auth.challenge'],
  reads: ['json.collection.closed', 'json.page.snapshot', 'json.item.record'],
  follows: ['ws.message.subscribed', 'ws.message.replay_complete', 'ws.message.event', 'ws.at-least-once'],
  survives: ['ws.message.go_away', 'ws.auth.expiry', 'auth.token.revocable', 'ws.resume.same'],
};

/** The same for a client, which follows. */
const CLIENT_CORE: Core = {
  speaks: [],
  reads: [],
  follows: ['client.events.applied', 'client.reconnect.same'],
  survives: [],
};

/** How a run stands at each level, and what it has not seen of each core. */
export interface LevelStatuses {
  /** How each level stands. */
  readonly levels: Readonly<Record<Level, LevelStatus>>;
  /** Ids of core requirements that were not looked at, though the target claims what they are about; empty for levels without checks. */
  readonly unseen: Readonly<Record<Level, readonly string[]>>;
}

/** The status of each level. */
export function levelStatuses({
  results,
  verdicts,
}: Pick<ConformanceRun, 'results' | 'verdicts'>): LevelStatuses {
  const core = results.some(({ check }) => check.name.startsWith('client.')) ? CLIENT_CORE : CORE;
  const judged = (level: Level) => {
    const names = new Set(
      results.filter(({ check }) => check.level === level).map(({ check }) => check.name),
    );
    return verdicts.filter(({ judgedBy }) => judgedBy.some((name) => names.has(name)));
  };
  const isUnseen = (id: string): boolean => {
    const verdict = verdicts.find(({ requirement }) => requirement.id === id);
    return verdict?.status === 'skip' && verdict.reason?.startsWith('not claimed') !== true;
  };
  let worst: LevelStatus = 'kept';
  const found = LEVELS.map((level) => {
    const mine = judged(level);
    if (mine.length === 0) return { level, status: 'none' as const, unseen: [] };
    const unseen = core[level].filter(isUnseen);
    const isBroken = mine.some(({ status }) => status === 'fail' || status === 'error');
    if (isBroken) worst = 'broken';
    else if (unseen.length > 0 && worst === 'kept') worst = 'partly';
    return { level, status: worst, unseen };
  });
  const byLevel = <T>(of: (one: (typeof found)[number]) => T): Readonly<Record<Level, T>> =>
    Object.fromEntries(found.map((one) => [one.level, of(one)])) as Record<Level, T>;
  return { levels: byLevel(({ status }) => status), unseen: byLevel(({ unseen }) => unseen) };
}
