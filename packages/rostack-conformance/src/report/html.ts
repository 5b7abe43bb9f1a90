import { LEVELS } from '../check/level.ts';
import { STATUSES, type Status } from '../run/verdict.ts';
import { SCRIPT, STYLE } from './html-assets.ts';
import { escapeMarkup as text } from './markup.ts';
import type { Report, ReportedExchange, ReportedRequirement } from './report.ts';

/** What each status means, for readers. */
const MEANINGS: Readonly<Record<Status, string>> = {
  pass: 'kept',
  fail: 'broken',
  warn: 'a should that is not kept',
  note: 'worth knowing',
  skip: 'not looked at',
  error: 'the kit failed',
};

/** The report as one page for implementers: no other files, no requests, and readable without scripts. */
export function renderHtml(report: Report): string {
  const { implementation, target, release, requirements } = report;
  const title = `${implementation?.name ?? target.url}: rostack_v1 ${release}`;
  const sections = Map.groupBy(requirements, ({ section }) => section);
  const body = [...sections].map(([section, members]) => sectionOf(section, members)).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)}</title>
<style>${STYLE}</style>
<header>
<h1>${text(title)}</h1>
<p class="verdict ${report.is_conformant ? (isPartly(report) ? 'warn' : 'pass') : 'fail'}">${text(verdictOf(report))}</p>
${summaryOf(report)}
${brokenOf(report)}
</header>
<main>
${filterOf(report)}
${body}
</main>
<script>${SCRIPT}</script>
</html>
`;
}

const isPartly = ({ unseen }: Report): boolean => LEVELS.some((level) => unseen[level].length > 0);

function verdictOf(report: Report): string {
  const { is_conformant, counts, stale_expected_failures: stale, requirements } = report;
  const seen = isPartly(report) ? ' Not everything that counts was seen.' : '';
  if (is_conformant) return `Nothing is broken: ${counts.pass} requirements are kept.${seen}`;
  const unexpected = requirements.filter(
    ({ status, expected_failure }) => status === 'fail' && expected_failure === undefined,
  ).length;
  const parts = [
    ...(unexpected > 0 ? [`${unexpected} broken`] : []),
    ...(counts.error > 0 ? [`${counts.error} where the kit failed`] : []),
    ...(stale.length > 0 ? [`expected to be broken, and kept: ${stale.join(', ')}`] : []),
  ];
  return `${parts.join('; ')}.`;
}

function summaryOf(report: Report): string {
  const { target, implementation, levels, kit, seed, started_at, duration_ms, requests } = report;
  const rows: readonly (readonly [string, string])[] = [
    ['Target', target.url],
    ...(implementation === null
      ? []
      : [['Implementation', `${implementation.id}, API version ${implementation.api_version}`] as const]),
    ['Levels', LEVELS.map((level) => `${level}: ${levels[level]}`).join(', ')],
    ...(isPartly(report)
      ? [['Not seen', LEVELS.flatMap((level) => report.unseen[level]).join(', ')] as const]
      : []),
    ['Run', `${started_at}, ${(duration_ms / 1_000).toFixed(1)} s, ${requests} requests, seed ${seed}`],
    ['Kit', `${kit.name} ${kit.version}`],
  ];
  return `<dl>${rows.map(([name, value]) => `<div><dt>${text(name)}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>`;
}

/** Links to what is broken. */
function brokenOf({ requirements }: Report): string {
  const broken = requirements.filter(({ status }) => status === 'fail' || status === 'error');
  if (broken.length === 0) return '';
  const links = broken.map(({ id }) => `<li><a href="#${text(id)}"><code>${text(id)}</code></a></li>`);
  return `<nav aria-label="What is broken"><ul>${links.join('')}</ul></nav>`;
}

/** The texts of requirements have code in backticks. */
const prose = (sentence: string): string =>
  text(sentence).replaceAll(
    /`` (.+?) ``|`([^`]+)`/g,
    (_, wide?: string, narrow?: string) => `<code>${wide ?? narrow ?? ''}</code>`,
  );

function filterOf({ counts }: Report): string {
  const boxes = STATUSES.filter((status) => counts[status] > 0).map(
    (status) =>
      `<label><input type="checkbox" name="status" value="${status}" checked> <span class="status ${status}">${status}</span> ${counts[status]} <small>${MEANINGS[status]}</small></label>`,
  );
  return `<form class="filter" hidden><fieldset><legend>Show</legend>${boxes.join('')}</fieldset></form>`;
}

function sectionOf(section: string, requirements: readonly ReportedRequirement[]): string {
  return `<section><h2>${text(section)}</h2>\n${requirements.map(requirementOf).join('\n')}\n</section>`;
}

function requirementOf(requirement: ReportedRequirement): string {
  const { id, level, status, failures, checks, notes, reason, expected_failure } = requirement;
  const isOpen = status === 'fail' || status === 'error';
  const lines = [
    ...(expected_failure === undefined ? [] : [`Expected: ${expected_failure}`]),
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ...notes,
    ...(checks.length === 0 ? [] : [`Judged by ${checks.join(', ')}`]),
  ];
  return `<details id="${text(id)}" data-status="${status}"${isOpen ? ' open' : ''}>
<summary><span class="status ${status}">${status}</span> <code>${text(id)}</code> <small>${level}</small> <span>${prose(requirement.text)}</span></summary>
${failures.map(failureOf).join('\n')}
${lines.map((line) => `<p>${text(line)}</p>`).join('\n')}
</details>`;
}

function failureOf({ check, expected, got, exchange }: ReportedRequirement['failures'][number]): string {
  return `<article><h3>${text(check)}</h3>
<dl><div><dt>Expected</dt><dd>${text(expected)}</dd></div><div><dt>Got</dt><dd>${text(got)}</dd></div></dl>
${exchange === undefined ? '' : exchangeOf(exchange)}
</article>`;
}

function exchangeOf({
  method,
  url,
  request_headers,
  status,
  response_headers,
  body,
}: ReportedExchange): string {
  const fields = (headers: ReportedExchange['request_headers']) =>
    headers.map(([name, value]) => `\n${name}: ${value}`).join('');
  const said = `${method} ${url}${fields(request_headers)}\n\n${status}${fields(response_headers)}\n\n${body}`;
  return `<pre tabindex="0">${text(said)}</pre>`;
}
