import { stringify } from 'yaml';
import type { Report } from './report.ts';

/** A run as `summary.yaml`: what a matrix of implementations shows. */
export interface RunSummary {
  /** Name and version of the kit. */
  readonly kit: string;
  /** The release that was checked. */
  readonly release: string;
  /** The day of the run. */
  readonly date: string;
  /** The status of each level. */
  readonly levels: Report['levels'];
  /** Requirements by status. */
  readonly counts: Report['counts'];
  /** Ids of the requirements that are broken, with why that is known, or an empty text. */
  readonly broken: Readonly<Record<string, string>>;
  /** How many requirements were not checked, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** The summary of a report. */
export function summaryOf({ kit, release, started_at, levels, counts, requirements }: Report): RunSummary {
  const broken = requirements.filter(({ status }) => status === 'fail');
  const skipped = new Map<string, number>();
  for (const { status, reason = '' } of requirements) {
    // Leaves out requirements that no run can judge.
    if (status !== 'skip' || reason.startsWith('not checked:')) continue;
    const [kind = ''] = reason.split(':');
    skipped.set(kind, (skipped.get(kind) ?? 0) + 1);
  }
  return {
    kit: `${kit.name} ${kit.version}`,
    release,
    date: started_at.slice(0, 10),
    levels,
    counts,
    broken: Object.fromEntries(broken.map(({ id, expected_failure = '' }) => [id, expected_failure])),
    skipped: Object.fromEntries([...skipped].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The report as `summary.yaml`. */
export const renderSummary = (report: Report): string => stringify(summaryOf(report));
