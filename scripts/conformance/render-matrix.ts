import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { LEVELS, type RunSummary } from '../../packages/rostack-conformance/src/index.ts';

/** The content of `reports/<implementation>/<version>.yaml`. */
interface ImplementationReport {
  readonly implementation: string;
  readonly version: string;
  readonly language: string;
  readonly url: string;
  readonly runs: readonly RunSummary[];
}

/** Path of the matrix, relative to the root of the repository. */
export const MATRIX = 'reports/README.md';

const HEAD = `# Implementations and what they keep

A row for each run of [rostack-conformance](../packages/rostack-conformance) that somebody has handed in. This file is
written by \`pnpm protocol\` from the files beside it.

A level is kept where nothing is broken that was looked at, of it and of all before it, and partly where its core was
not. What was not looked at is counted apart: a run without a second token or a driver sees less.
`;

const FORMAT = `## Handing in a report

\`npx rostack-cli conformance <url> --report DIR\` writes \`DIR/summary.yaml\`. Put it into
\`reports/<implementation>/<version>.yaml\` as one of the \`runs\`:

\`\`\`yaml
implementation: rostack-gateway
version: 0.1.0
language: TypeScript
url: https://github.com/rostack/rostack
runs:
  - # summary.yaml of one run; one for each release
\`\`\`

| member    | meaning                                                                                |
| --------- | --------------------------------------------------------------------------------------- |
| \`kit\`     | name and version of the kit                                                            |
| \`release\` | the release of the protocol that was checked                                          |
| \`date\`    | the day of the run                                                                     |
| \`levels\`  | \`kept\`, \`partly\`, \`broken\` or \`none\` of each level                                     |
| \`counts\`  | requirements by status                                                                 |
| \`broken\`  | ids of the requirements that are broken, each with why that is known, or an empty string |
| \`skipped\` | how many were not looked at, by reason                                                 |
`;

/** The page with the matrix of all reports. */
export function renderMatrix(root: string): string {
  const reports = globSync('reports/*/*.yaml', { cwd: root })
    .sort()
    .map((file) => parse(readFileSync(join(root, file), 'utf8')) as ImplementationReport);
  const rows = reports.flatMap(({ implementation, version, language, url, runs }) =>
    runs.map(({ release, levels, counts, broken, date, kit }) => [
      `[${implementation}](${url}) ${version}`,
      language,
      release,
      ...LEVELS.map((level) => levels[level]),
      String(counts.pass),
      Object.keys(broken).length === 0
        ? ''
        : Object.keys(broken)
            .map((id) => `\`${id}\``)
            .join(', '),
      `${date}, ${kit}`,
    ]),
  );
  const heads = ['implementation', 'language', 'release', ...LEVELS, 'kept', 'broken', 'run'];
  const widths = heads.map((head, column) =>
    Math.max(...[head, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const table = [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
  return `${HEAD}\n${table.join('\n')}\n\n${FORMAT}`;
}
