import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PAGES_FOLDER, root } from './gather.ts';
import { type Page, readSections, titleOf } from './pages.ts';

/**
 * Puts each page's Markdown next to its HTML, and writes what programs read instead of the site: `llms.txt`, a list of
 * all pages, and `llms-full.txt`, the text of all pages but the reference and the archive.
 */
export function writeTexts(folder: string): void {
  cpSync(PAGES_FOLDER, folder, {
    recursive: true,
    filter: (from) => ['', '.md', '.png', '.svg'].includes(extname(from)),
  });
  const sections = readSections(root);
  const reference = globSync('reference/**/*.md', { cwd: PAGES_FOLDER }).sort();
  const lists = sections.map(({ title, pages }) => `## ${title}\n\n${pages.map(lineOf).join('')}`);
  const referenceList = reference.map((path) => lineOf({ path, title: titleOf(textOf(path)) })).join('');
  const [title = '', about = ''] = textOf('index.md').split('\n\n');
  const summary = about.split('\n').map((line) => `> ${line}\n`);
  const parts = [`${title}\n`, summary.join(''), ...lists, `## Reference\n\n${referenceList}`];
  writeFileSync(join(folder, 'llms.txt'), parts.join('\n'));
  const full = sections.filter(({ title }) => title !== 'Decisions').flatMap(({ pages }) => pages);
  const texts = full.map(({ path }) => `<!-- ${path} -->\n\n${textOf(path)}`);
  writeFileSync(join(folder, 'llms-full.txt'), [textOf('index.md'), ...texts].join('\n'));
}

const textOf = (path: string): string => readFileSync(join(PAGES_FOLDER, path), 'utf8');
const lineOf = ({ title, path }: Pick<Page, 'title' | 'path'>): string => `- [${title}](${path})\n`;
