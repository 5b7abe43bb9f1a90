import type { Release } from 'rostack-core';
import type { PostgresDatabase } from 'test-support/postgres';
import { runConformance, toReport, type Verdict } from '../../src/index.ts';
import { serveGateway } from './serve-gateway.ts';

export const SEED = Number(process.env['TEST_SEED'] ?? 1);

export async function runOn(release: Release, database?: PostgresDatabase) {
  await using served = await serveGateway(release, { database });
  const run = await runConformance({ ...served.target, seed: SEED });
  const { verdicts, results, release: found } = run;
  return {
    seed: SEED,
    release: found,
    broken: verdicts.filter(isBroken).map(sentences),
    errors: results.flatMap(({ error }) => error ?? []),
    levels: toReport(run).levels,
    unseen: verdicts.filter(isUnseen).map(({ requirement, reason }) => `${requirement.id}: ${reason}`),
  };
}

/** Ours keeps what was decided where the protocol is silent too. */
export const isBroken = ({ status, failures }: Verdict): boolean => failures.length > 0 || status === 'error';

export const sentences = ({ requirement, status, failures, reason }: Verdict): string =>
  [
    `${requirement.id} ${status}`,
    reason,
    ...failures.map(({ check, got, exchange }) => `${check} ${exchange?.url ?? ''} ${got}`),
  ].join('\n');

/** What the gateway does not claim, or does only when something is wrong with it; by beginnings of ids. */
const NOT_SHOWN = [
  'auth.oauth', // with an authorization server alone
  'discovery.oauth-metadata',
  'discovery.member.authentication.methods',
  'ws.rule.url_usable', // no detail_url, no gateway_url
  'err.http.member.instance',
  'err.http.type.internal-error',
  'err.http.type.service-unavailable',
  'err.http.fallback',
  'err.http.retry-after.required', // as the next one
  'err.http.type.rate-limited', // a slow machine is never too quick
];

const isUnseen = ({ requirement: { id, unchecked }, status, reason }: Verdict): boolean =>
  status === 'skip' &&
  unchecked === undefined &&
  reason !== 'not selected' &&
  !NOT_SHOWN.some((beginning) => id.startsWith(beginning));

/** What that release leaves open: types of operands, and which errors have a subscription. */
const UNSEEN_BEFORE = [
  'release.filter-operands: no data',
  'filter.rule.scalar_operand: no data',
  'ws.rule.subscription_id_given: no data',
];

/** What a run of a release shows when all is kept. */
export const allKept = (release: Release) => ({
  seed: SEED,
  release,
  broken: [],
  errors: [],
  levels: { speaks: 'kept', reads: 'kept', follows: 'kept', survives: 'kept' },
  unseen: release === '2026-08-12' ? UNSEEN_BEFORE : [],
});
