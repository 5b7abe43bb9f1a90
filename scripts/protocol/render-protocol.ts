import { basename } from 'node:path';
import { type Citation, RELEASES, type Requirement, type Section } from './requirements.ts';

const HEAD = `# What the protocol requires, and the tests that show it

One row for each thing that rostack_v1 requires of a server or a client, in our own words, for both releases. To write a
client, begin with [a whole session on the wire](tasks/write-a-client.md).

The sections are numbered as the comments in the sources name them. This file is written by \`pnpm protocol\` from the
data in [protocol](protocol): change that, then run it. \`pnpm vitest run test/protocol.test.ts\` fails when a cited test
is not there, a requirement has neither a test nor a reason, or something that the models know has no requirement.

- **Level**: must, should or may. *Server* and *client* say who has to keep it; without either, both do.
- **Release**: empty for both, else the only one that has it. Tests of what both have mostly run with 2026-08-13;
  \`release.alike\` shows that a server answers alike in both.
- **Shown by**: the file, and the title of the test in it. A title with \`%s\`, \`$name\` or \`\${...}\` is that of a table;
  what follows in parentheses is the row.
`;

/** Wraps a paragraph into lines of at most 120 characters. */
const wrapped = (text: string): string => text.replaceAll(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();

/** Escapes text for a table cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

function citation({ file, test, case: row }: Citation): string {
  const link = `[${basename(file)}](../${file})`;
  return `${link}: ${code(test)}${row === undefined ? '' : ` (${code(row)})`}`;
}

function line({ id, level, party, releases, text, tests, untested }: Requirement): string {
  const release = releases.length === RELEASES.length ? '' : releases.join(', ');
  const who = party === 'both' ? '' : `, ${party}`;
  const shown = [...tests.map(citation), ...(untested === undefined ? [] : [`No test: ${untested}`])];
  const count = tests.length === 1 ? '1 test' : `${tests.length} tests`;
  const folded = `<details><summary>${count}</summary>${shown.join('<br>')}</details>`;
  const cells = [text, `${level}${who}`, release, `\`${id}\``, folded];
  return `| ${cells.map(cell).join(' | ')} |`;
}

function sectionText({ title, about, example, requirements }: Section, index: number): string {
  const topics = [...new Set(requirements.map(({ topic }) => topic))];
  const tables = topics.map((topic) => {
    const rows = requirements.filter((requirement) => requirement.topic === topic).map(line);
    return [
      `### ${topic}`,
      '',
      '| requirement | level | release | id | shown by |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  const shown = example === undefined ? [] : [['```text', ...example, '```'].join('\n')];
  return [`## ${index + 1}. ${title}`, wrapped(about), ...shown, ...tables].join('\n\n');
}

/** The document as Markdown. */
export function renderProtocol(sections: readonly Section[]): string {
  const all = sections.flatMap(({ requirements }) => requirements);
  const count = (level: string) => all.filter((requirement) => requirement.level === level).length;
  const untested = all.filter(({ tests }) => tests.length === 0).length;
  const figures = `There are ${all.length} rows: ${count('must')} must, ${count('should')} should, ${count('may')} may. Without a test, but with a reason: ${untested}.`;
  return `${[HEAD.trimEnd(), figures, ...sections.map(sectionText)].join('\n\n')}\n`;
}
