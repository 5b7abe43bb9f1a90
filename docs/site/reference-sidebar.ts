import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/** The reference in the sidebar: a group for each package, with its pages; rostack packages first. */
export function referenceSidebar(pagesFolder: string): DefaultTheme.SidebarItem[] {
  const folder = join(pagesFolder, 'reference');
  const named = (pattern: string): string[] => globSync(pattern, { cwd: folder }).sort();
  const packages = named('*.md')
    .map((file) => basename(file, '.md'))
    .filter((name) => name !== 'index')
    .sort((one, other) => Number(one.startsWith('menu')) - Number(other.startsWith('menu')));
  return packages.map((name) => ({
    text: name,
    link: `/reference/${name}`,
    collapsed: true,
    items: named(`${name}/*.md`).map((file) => {
      const part = basename(file, '.md');
      return { text: part, link: `/reference/${name}/${part}` };
    }),
  }));
}
