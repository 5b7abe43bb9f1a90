import { existsSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { visit } from 'unist-util-visit';

/** What links in a file can lead to. */
export interface Places {
  /** The root of the repository. */
  readonly root: string;
  /** Where the repository is shown: `https://github.com/OWNER/NAME`. */
  readonly repositoryUrl: string;
  /** The pages of the site by their files. */
  readonly pages: ReadonlyMap<string, string>;
  /** Called for each picture with its path from the root; returns its path in the site. */
  readonly picture: (file: string) => string;
}

const parser = remark().use(remarkGfm);

/**
 * The text of a file as a page: links to files that are pages lead to those pages, links to other files lead to the
 * repository, and pictures to their copies. Everything else stays as it is, byte for byte.
 *
 * @param source the file, from the root
 * @param path its page
 * @throws Error for a link that leads nowhere
 */
export function relink(markdown: string, source: string, path: string, places: Places): string {
  const changes: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  visit(parser.parse(markdown), (node) => {
    const from = node.position?.start.offset ?? 0;
    const to = node.position?.end.offset ?? 0;
    const raw = markdown.slice(from, to);
    if (node.type === 'html') {
      const text = raw.replaceAll(
        /(<(?:img|a)\b[^>]*?\b(?:src|href)=")([^"]+)(")/g,
        (_, before: string, url: string, after: string) => before + target(url, source, path, places) + after,
      );
      changes.push({ from, to, text });
    }
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return;
    const url = target(node.url, source, path, places);
    const at = raw.lastIndexOf(node.url);
    if (url === node.url) return;
    if (at < 0)
      throw new Error(`${source}: the link to ${node.url} is written in a way that is not understood`);
    changes.push({ from: from + at, to: from + at + node.url.length, text: url });
  });
  return changes.reduceRight(
    (text, each) => text.slice(0, each.from) + each.text + text.slice(each.to),
    markdown,
  );
}

function target(url: string, source: string, path: string, places: Places): string {
  const { root, repositoryUrl, pages, picture } = places;
  const [address = '', anchor] = url.split('#');
  const shown = new RegExp(`^${repositoryUrl}/(?:blob|tree|raw)/main/(.+)$`).exec(address)?.[1];
  if (address === '' || (shown === undefined && /^[a-z][a-z+.-]*:/i.test(address))) return url;
  const file = (shown ?? posix.join(dirname(source), address)).replace(/\/$/, '');
  if (!existsSync(join(root, file))) throw new Error(`${source}: ${url} leads nowhere`);
  const isFolder = statSync(join(root, file)).isDirectory();
  const page = pages.get(isFolder ? posix.join(file, 'README.md') : file);
  const relative = (to: string): string => posix.join('.', posix.relative(dirname(path), to));
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (page !== undefined) return relative(page) + hash;
  if (/\.(png|svg|webp)$/.test(file)) return `./${relative(picture(file))}`;
  return `${repositoryUrl}/${isFolder ? 'tree' : 'blob'}/main/${file}${hash}`;
}
