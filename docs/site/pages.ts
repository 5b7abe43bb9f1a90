import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page that is made from a Markdown file of the repository. */
export interface Page {
  /** The file, from the root of the repository. */
  readonly source: string;
  /** The page in the site, such as `guides/operating.md`. */
  readonly path: string;
  readonly title: string;
}

export interface Section {
  readonly title: string;
  readonly language: 'en' | 'ko';
  readonly pages: readonly Page[];
}

/** The files of each section, in the order of the sidebar. */
const SECTIONS: readonly (readonly [title: string, language: 'en' | 'ko', patterns: readonly string[]])[] = [
  [
    'Start',
    'en',
    ['README.md', 'docs/tutorial.md', 'docs/compare.md', 'packages/README.md', 'VERSIONING.md'],
  ],
  [
    'Tasks',
    'en',
    [
      'publish-a-table',
      'publish-from-your-program',
      'follow',
      'offline',
      'mirror',
      'protect',
      'go-public',
      'troubleshooting',
      'write-a-client',
      'move',
    ].map((name) => `docs/tasks/${name}.md`),
  ],
  ['Guides', 'en', ['docs/guides/!(cafeteria|promises)*.md', 'docs/scale.md']],
  [
    'Libraries and gateway',
    'en',
    [
      'packages/rostack-*/README.md',
      'packages/create-rostack/README.md',
      'apps/rostack-gateway/README.md',
      'docs/libraries/*.md',
    ],
  ],
  ['Examples', 'en', ['examples/README.md', 'examples/*/README.md']],
  [
    'Cafeteria',
    'en',
    [
      'docs/site/home/cafeteria.md',
      'docs/guides/cafeteria.md',
      'apps/cafeteria-web/README.md',
      'packages/menu-*/README.md',
      'docs/cafeteria/!(*.ko).md',
    ],
  ],
  [
    'What holds',
    'en',
    [
      'docs/guides/promises.md',
      'docs/protocol.md',
      'docs/protocol/README.md',
      'reports/README.md',
      'docs/spec-questions.md',
      'docs/benchmarks.md',
    ],
  ],
  ['Project', 'en', ['CONTRIBUTING.md', 'SECURITY.md', 'docs/design/dependencies.md']],
  ['Design', 'en', ['docs/design/README.md', 'docs/design/!(README|dependencies).md']],
  ['Archive', 'en', ['docs/design/archive/README.md', 'docs/design/archive/[0-9]*.md']],
  [
    '구내식당',
    'ko',
    ['docs/guides/cafeteria.ko.md', 'apps/cafeteria-web/README.ko.md', 'docs/cafeteria/*.ko.md'],
  ],
];

/** Where a file is in the site; the first matching rule counts. */
const PATHS: readonly (readonly [file: RegExp, path: string])[] = [
  [/^README\.md$/, 'overview.md'],
  [/^docs\/site\/home\/cafeteria\.md$/, 'cafeteria/index.md'],
  [/^docs\/guides\/cafeteria\.md$/, 'cafeteria/using.md'],
  [/^docs\/guides\/cafeteria\.ko\.md$/, 'ko/cafeteria/using.md'],
  [/^apps\/cafeteria-web\/README\.md$/, 'cafeteria/running.md'],
  [/^apps\/cafeteria-web\/README\.ko\.md$/, 'ko/cafeteria/running.md'],
  [/^docs\/cafeteria\/(.+)\.ko\.md$/, 'ko/cafeteria/$1.md'],
  [/^docs\/guides\/promises\.md$/, 'promises.md'],
  [/^docs\/protocol\/README\.md$/, 'protocol/data.md'],
  [/^reports\/README\.md$/, 'conformance/implementations.md'],
  [/^docs\/(.+\/)?README\.md$/, '$1index.md'],
  [/^docs\/(.+)$/, '$1'],
  [/^(?:packages|apps)\/(.+)\/README\.md$/, 'packages/$1.md'],
  [/^(packages|examples)\/README\.md$/, '$1/index.md'],
  [/^examples\/(.+)\/README\.md$/, 'examples/$1.md'],
  [/^CONTRIBUTING\.md$/, 'contributing.md'],
  [/^SECURITY\.md$/, 'security.md'],
  [/^VERSIONING\.md$/, 'versioning.md'],
];

/** All pages but the two front pages and the reference. A section without pages is left out. */
export function readSections(root: string): readonly Section[] {
  const pageOf = (source: string): Page => {
    const rule = PATHS.find(([file]) => file.test(source));
    if (rule === undefined) throw new Error(`${source} has no place in the site: give it one in PATHS`);
    return {
      source,
      path: source.replace(...rule),
      title: titleOf(readFileSync(join(root, source), 'utf8')),
    };
  };
  return SECTIONS.map(([title, language, patterns]) => ({
    title,
    language,
    pages: patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).sort().map(pageOf)),
  })).filter(({ pages }) => pages.length > 0);
}

/** The first heading of a Markdown text, without its markup. */
export function titleOf(markdown: string): string {
  return (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replaceAll(/[`\\]/g, '');
}
