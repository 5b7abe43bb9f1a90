import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderBadge } from './badge.ts';
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
