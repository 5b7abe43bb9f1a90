import { LEVELS } from '../check/level.ts';
import type { Report } from './report.ts';

/** The report as `badge.json`: what a badge service expects from an endpoint (schema version 1). */
export function renderBadge({ release, levels, counts, is_conformant }: Report): string {
  const kept = LEVELS.findLast((level) => levels[level] === 'kept');
  const message = is_conformant
    ? `${kept ?? 'nothing checked'}, ${counts.pass} kept`
    : `${counts.fail} of ${counts.pass + counts.fail} broken`;
  const badge = {
    schemaVersion: 1,
    label: `rostack_v1 ${release}`,
    message,
    color: is_conformant ? (kept === undefined ? 'lightgrey' : 'brightgreen') : 'red',
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}
