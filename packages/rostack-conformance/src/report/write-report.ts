import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEVELS } from '../check/level.ts';
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

/** The report as `badge.json`: what a badge service expects from an endpoint (schema version 1). */
function renderBadge({ release, levels, counts, is_conformant }: Report): string {
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
