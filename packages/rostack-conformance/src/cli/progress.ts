import type { Check } from '../check/check.ts';
import { LEVELS } from '../check/level.ts';
import type { Report } from '../report/report.ts';
import type { CheckResult } from '../run/run-check.ts';
import { DEFAULT_MAX_REQUESTS, type Target } from '../run/target.ts';
import { STATUSES } from '../run/verdict.ts';

/** Describes what will be sent, before anything is. */
export function announcement(checks: readonly Check[], target: Target, hasDriver: boolean): string {
  const { url, maxRequests = DEFAULT_MAX_REQUESTS, observeMs = 0, seed = 1 } = target;
  const follows = checks.some(({ level }) => level === 'follows' || level === 'survives');
  const lines = [
    `${checks.length} checks of ${url}, seed ${seed}. This will be sent:`,
    `- at most ${maxRequests} HTTP requests, one after the other: GET and HEAD; POST, PUT, PATCH and DELETE without a body,`,
    '  to be refused: DELETE only for records that do not exist',
    ...(follows ? ['- WebSocket connections with subscriptions, and messages that have to be refused'] : []),
    ...(observeMs > 0 ? [`- nothing, while events are watched for ${observeMs} ms`] : []),
    hasDriver ? '- what the driver does: it writes and deletes records' : '- no record is written',
  ];
  return `${lines.join('\n')}\n\n`;
}

/** How a check has ended; nothing for a watch unless something is broken. */
export function checkLine({ check, findings, skipped, error, requests, durationMs }: CheckResult): string {
  const broken = new Set(findings.filter(({ kind }) => kind === 'fail').map(({ id }) => id));
  if (skipped !== undefined) return `skip  ${check.name}: ${skipped}\n`;
  if (error !== undefined) return `error ${check.name}: ${error.message}\n`;
  if (broken.size > 0) return `fail  ${check.name}: ${[...broken].join(', ')}\n`;
  return requests === 0 && durationMs === 0
    ? ''
    : `pass  ${check.name} (${requests} requests, ${durationMs} ms)\n`;
}

/** What is broken, what is worth knowing, and the status of each level. */
export function summaryLines({
  requirements,
  counts,
  levels,
  unseen,
  stale_expected_failures: stale,
  release,
}: Report): string {
  const lines = [''];
  for (const { id, status, level, text, failures, notes, reason, expected_failure } of requirements) {
    if (status === 'pass' || status === 'skip') continue;
    lines.push(`${status} ${id} (${level}): ${text}`);
    if (expected_failure !== undefined) lines.push(`  expected: ${expected_failure}`);
    if (status === 'error' && reason !== undefined) lines.push(`  ${reason}`);
    for (const { expected, got, exchange } of failures) {
      lines.push(`  wanted: ${expected}`, `  got:    ${got}`);
      if (exchange !== undefined) lines.push(`          ${exchange.method} ${shortened(exchange.url)}`);
    }
    lines.push(...notes.map((note) => `  ${note}`));
  }
  for (const id of stale)
    lines.push(`${id} was expected to be broken, and is kept: take it out of the file.`);
  lines.push(
    '',
    `Release ${release}: ${STATUSES.map((status) => `${counts[status]} ${status}`).join(', ')}.`,
    `Levels: ${LEVELS.map((level) => `${level} ${levels[level]}`).join(', ')}.`,
    ...LEVELS.filter((level) => unseen[level].length > 0).map(
      (level) => `Not seen of ${level}: ${unseen[level].join(', ')}.`,
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** How much of a URL is shown; the report has all of it. */
const MAX_URL = 300;
const shortened = (url: string): string => (url.length > MAX_URL ? `${url.slice(0, MAX_URL)}…` : url);
