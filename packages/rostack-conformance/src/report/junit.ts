import { escapeMarkup } from './markup.ts';
import type { Report, ReportedRequirement } from './report.ts';

/** The report as `junit.xml`: one case for each requirement, one suite for each section. */
export function renderJunit({ requirements, duration_ms }: Report): string {
  const sections = Map.groupBy(requirements, ({ section }) => section);
  const suites = [...sections].map(([section, members]) => {
    const cases = members.map((requirement) => caseOf(requirement, section)).join('\n');
    return `<testsuite name="${escapeMarkup(section)}"${countsOf(members)}>\n${cases}\n</testsuite>`;
  });
  const seconds = (duration_ms / 1_000).toFixed(3);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rostack-conformance" time="${seconds}"${countsOf(requirements)}>\n${suites.join('\n')}\n</testsuites>\n`;
}

/** Expected failures, notes and warnings do not fail a case. */
const isFailure = ({ status, expected_failure }: ReportedRequirement): boolean =>
  status === 'fail' && expected_failure === undefined;

const isSkipped = ({ status, expected_failure }: ReportedRequirement): boolean =>
  status === 'skip' || (status === 'fail' && expected_failure !== undefined);

function countsOf(requirements: readonly ReportedRequirement[]): string {
  const failures = requirements.filter(isFailure).length;
  const errors = requirements.filter(({ status }) => status === 'error').length;
  const skipped = requirements.filter(isSkipped).length;
  return ` tests="${requirements.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
}

function caseOf(requirement: ReportedRequirement, section: string): string {
  const { id, status, text, failures, reason = '', expected_failure, notes } = requirement;
  const said = failures
    .map(({ check, expected, got }) => `${check}: expected: ${expected} Got: ${got}`)
    .join('\n');
  const inside = [];
  if (isFailure(requirement))
    inside.push(`<failure message="${escapeMarkup(text)}">${escapeMarkup(said)}</failure>`);
  else if (status === 'error') inside.push(`<error message="${escapeMarkup(reason)}"/>`);
  else if (isSkipped(requirement)) {
    inside.push(`<skipped message="${escapeMarkup(expected_failure ?? reason)}"/>`);
  }
  const out = [...notes, ...(status === 'warn' || status === 'note' ? [said] : [])].filter(
    (line) => line !== '',
  );
  if (out.length > 0) inside.push(`<system-out>${escapeMarkup(out.join('\n'))}</system-out>`);
  return `<testcase classname="${escapeMarkup(section)}" name="${escapeMarkup(id)}">${inside.join('')}</testcase>`;
}
