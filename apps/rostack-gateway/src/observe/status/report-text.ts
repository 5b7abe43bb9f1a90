import { escapeLine } from 'rostack-core';
import type { FollowedResource } from '../../cluster/peers/dials.ts';
import type { TableCondition } from '../../cluster/peers/readiness.ts';
import { describeExpiry } from '../../serving/certificates/certificate-watch.ts';
import type { GatewayReport } from './gateway-report.ts';

const WORDS: Readonly<Record<TableCondition['state'], string>> = {
  standby: 'standby: another process leads, or none yet',
  loading: 'loading',
  following: 'leading',
  failing: 'failing',
  stopped: 'stopped',
};

/** A report for people. Texts from elsewhere are escaped, so they cannot forge lines. @param nowMs milliseconds since 1970 */
export function reportText(report: GatewayReport, nowMs: number): string {
  const { status, tables = {}, quarantinedRows = {}, certificate, followers, principals, alarms } = report;
  const expiry =
    certificate === undefined
      ? 'none: no TLS here'
      : describeExpiry(Date.parse(certificate.expiresAt), nowMs);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['status', [status === 'ready' ? 'ready' : 'not ready']],
    ['certificate', [expiry]],
    [
      'tables',
      Object.entries(tables).map(([resource, table]) =>
        [`${resource}  ${tableLine(table)}`, ...refusedRows(quarantinedRows[resource])].join('; '),
      ),
    ],
    [
      'followers',
      [
        counted(followers.connections, 'WebSocket'),
        ...Object.entries(followers.resources).map(
          ([name, followed]) => `${name}  ${followedLine(followed)}`,
        ),
      ],
    ],
    [
      'top principals',
      principals.map(
        ({ principalId, credentialId, requests, connections }) =>
          `${principalId}${credentialId === undefined ? '' : ` (${credentialId})`}  ${counted(requests, 'request')} in the last 10 minutes, ${counted(connections, 'WebSocket')}`,
      ),
    ],
    [
      'last alarms',
      alarms.map(
        ({ at, kind, message, count }) => `${at}  ${kind}${count > 1 ? ` (${count} times)` : ''}: ${message}`,
      ),
    ],
    ['what to do', report.next],
  ];
  return sections
    .map(([title, lines]) => {
      const shown = lines.length === 0 ? ['nothing'] : lines;
      return [`${title}:`, ...shown.map((line) => `  ${escapeLine(line)}`)].join('\n');
    })
    .join('\n');
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function tableLine({ state, reason, oldestUnmovedSeconds = 0, ...rows }: TableCondition): string {
  const { loadedRows = 0, estimatedRows } = rows;
  const of = estimatedRows === undefined ? '' : ` of about ${estimatedRows}`;
  const loading = state === 'loading' ? ` ${counted(loadedRows, 'row')}${of}` : '';
  const why = reason === undefined ? loading : `: ${reason}`;
  const lag =
    oldestUnmovedSeconds === 0 ? 'nothing waits' : `the oldest change waits for ${oldestUnmovedSeconds} s`;
  return `${WORDS[state]}${why}; ${lag}`;
}

const refusedRows = (rows = 0): readonly string[] => (rows === 0 ? [] : [`refused: ${counted(rows, 'row')}`]);

function followedLine({ subscriptions, behindChanges, marginChanges }: FollowedResource): string {
  if (behindChanges === undefined) return `${counted(subscriptions, 'subscription')}; the log cannot be read`;
  return `${counted(subscriptions, 'subscription')}, at most ${counted(behindChanges, 'change')} behind; ${marginChanges ?? 0} more until one loses its place`;
}
