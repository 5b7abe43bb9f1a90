import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEVELS, type Level } from '../check/level.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import type { Report } from './report.ts';
import { renderSummary } from './summary.ts';

/** Writes `report.json`, `report.html`, `junit.xml`, `badge.json` and `summary.yaml` to a folder, which is created if it does not exist. */
export async function writeReport(report: Report, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files: Readonly<Record<string, string>> = {
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    'report.html': renderHtml(report),
    'junit.xml': renderJunit(report),
    'badge.json': renderBadge(report),
    'summary.yaml': renderSummary(report),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

const colorOf = (reached: Level | undefined, isPartly: boolean): string =>
  reached === undefined ? 'lightgrey' : isPartly ? 'yellow' : 'brightgreen';

/** The report as `badge.json`: what a badge service expects from an endpoint (schema version 1). */
function renderBadge({ release, levels, counts, is_conformant }: Report): string {
  const reached = LEVELS.findLast((level) => levels[level] !== 'none');
  const isPartly = reached !== undefined && levels[reached] === 'partly';
  const message = is_conformant
    ? `${reached ?? 'nothing checked'}${isPartly ? ' partly' : ''}, ${counts.pass} kept`
    : `${counts.fail} of ${counts.pass + counts.fail} broken`;
  const badge = {
    schemaVersion: 1,
    label: `rostack_v1 ${release}`,
    message,
    color: is_conformant ? colorOf(reached, isPartly) : 'red',
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}
