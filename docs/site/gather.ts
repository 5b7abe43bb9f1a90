import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Page, readSections } from './pages.ts';
import { type Places, relink } from './relink.ts';

export const root = resolve(import.meta.dirname, '../..');

const ICONS = [
  ['packages/rostack-explorer/src/browser/icon.svg', 'icon.svg'],
  ['apps/cafeteria-web/assets/icon.svg', 'cafeteria.svg'],
] as const;

/** What VitePress reads: each build writes it from scratch, and the repository does not contain it. */
export const PAGES_FOLDER = resolve(import.meta.dirname, '.pages');

/** The front pages, whose files are next to this one. */
export const FRONT_PAGES: readonly Page[] = [
  { source: 'docs/site/home/en.md', path: 'index.md', title: 'rostack' },
  { source: 'docs/site/home/ko.md', path: 'ko/index.md', title: '구내식당' },
];

const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly repository: { readonly url: string };
};

export const repositoryUrl: string = repository.url.replace(/^git\+|\.git$/g, '');

/** Writes the page of each file and copies its pictures; returns the pages. */
export function gatherPages(): readonly Page[] {
  const sections = readSections(root);
  const pages = [...FRONT_PAGES, ...sections.flatMap((section) => section.pages)];
  rmSync(PAGES_FOLDER, { recursive: true, force: true });
  for (const page of pages) writePage(page, pages);
  for (const [icon, name] of ICONS) cpSync(join(root, icon), join(PAGES_FOLDER, 'public', name));
  return pages;
}

/** Writes one page; its links may lead to the others. */
export function writePage(page: Page, pages: readonly Page[]): void {
  const places: Places = {
    root,
    repositoryUrl,
    pages: new Map([
      ...pages.map(({ source, path }) => [source, path] as const),
      ['docs/site/reference.ts', 'reference/index.md'],
    ]),
    picture: (file) => {
      cpSync(join(root, file), join(PAGES_FOLDER, 'pictures', file));
      return join('pictures', file);
    },
  };
  const text = relink(readFileSync(join(root, page.source), 'utf8'), page.source, page.path, places);
  const list = page.source === 'docs/design/archive/README.md' ? `\n${archiveList(pages)}` : '';
  const file = join(PAGES_FOLDER, page.path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text + list);
}

function archiveList(pages: readonly Page[]): string {
  const records = pages.filter(({ path }) => /^design\/archive\/\d/.test(path));
  return records.map(({ path, title }) => `- [${title}](${path.replace('design/archive/', '')})\n`).join('');
}
