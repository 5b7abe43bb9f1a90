import { env } from 'node:process';
import { slug } from 'github-slugger';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { FRONT_PAGES, PAGES_FOLDER, repositoryUrl, root } from '../gather.ts';
import { writeTexts } from '../llms.ts';
import { readSections } from '../pages.ts';
import { referenceSidebar } from '../reference-sidebar.ts';

const base = env['DOCS_BASE'] ?? '/';
const sections = readSections(root);
const pages = [...FRONT_PAGES, ...sections.flatMap((section) => section.pages)];
const byPath = new Map(pages.map((page) => [page.path, page]));

const linkTo = (path: string): string => `/${path.replace(/(index)?\.md$/, '')}`;
const sidebarOf = (language: 'en' | 'ko', isIn: (title: string) => boolean): DefaultTheme.SidebarItem[] =>
  sections
    .filter((section) => section.language === language && isIn(section.title))
    .map((section) => ({
      text: section.title,
      items: section.pages.map(({ title, path }) => ({ text: title, link: linkTo(path) })),
    }));
const isArchive = (title: string): boolean => title === 'Archive';

/** The page of the same path in the other language. */
function otherLanguage(path: string): string | undefined {
  const other = path.startsWith('ko/') ? path.slice('ko/'.length) : `ko/${path}`;
  return byPath.has(path) && byPath.has(other) ? other : undefined;
}

export default defineConfig({
  srcDir: PAGES_FOLDER,
  outDir: `${root}/docs/site/dist`,
  cacheDir: `${root}/node_modules/.cache/vitepress`,
  // Path of the site on its host, with a slash at both ends.
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  title: 'rostack',
  description:
    'rostack_v1, a read-only data protocol that is followed without a gap: libraries, a gateway, and a cafeteria service beside them.',
  metaChunk: true,
  ignoreDeadLinks: 'localhostLinks',
  // The search index is large, but loaded only when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 5_000 } },
  markdown: { anchor: { slugify: slug } },
  locales: {
    root: { label: 'English', lang: 'en' },
    ko: {
      label: '한국어',
      lang: 'ko',
      title: '오늘의 구내식당',
      description: '삼성웰스토리와 신세계푸드 구내식당의 메뉴를 보여 주는 서비스의 안내서입니다.',
      themeConfig: {
        logo: '/cafeteria.svg',
        nav: sections
          .filter(({ language }) => language === 'ko')
          .flatMap((section) =>
            section.pages.map(({ title, path }) => ({ text: title, link: linkTo(path) })),
          ),
        sidebar: sidebarOf('ko', () => true),
        outline: { label: '이 페이지에서', level: [2, 3] },
        docFooter: { prev: '이전', next: '다음' },
        darkModeSwitchLabel: '화면 색',
        lightModeSwitchTitle: '밝은 화면으로',
        darkModeSwitchTitle: '어두운 화면으로',
        sidebarMenuLabel: '차례',
        returnToTopLabel: '맨 위로',
        langMenuLabel: '언어',
        skipToContentLabel: '본문으로 건너뛰기',
        notFound: {
          title: '페이지를 찾을 수 없습니다',
          quote: '주소가 바뀌었거나 없는 페이지입니다.',
          linkLabel: '첫 페이지로',
          linkText: '첫 페이지로',
        },
      },
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    // Most pages are only in English: the switch leads to the front page, and a translated page links its translation.
    i18nRouting: false,
    nav: [
      { text: 'Start', link: '/tasks/publish-a-table' },
      { text: 'Compare', link: '/compare' },
      { text: 'Libraries', link: '/packages/' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Protocol', link: '/protocol' },
      { text: 'Design', link: '/design/' },
      { text: 'Cafeteria', link: '/cafeteria/' },
    ],
    sidebar: {
      '/reference/': referenceSidebar(PAGES_FOLDER),
      '/design/archive/': sidebarOf('en', isArchive),
      '/': sidebarOf('en', (title) => !isArchive(title)),
    },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        // People who search for a word want the guide before the function; a function's own name still comes first.
        miniSearch: {
          searchOptions: {
            boostDocument: (id: string) => (/\/(reference|archive)\//.test(id) ? 0.6 : 1),
          },
        },
        locales: {
          ko: {
            translations: {
              button: { buttonText: '검색', buttonAriaLabel: '검색' },
              modal: {
                displayDetails: '자세히 보기',
                resetButtonTitle: '지우기',
                backButtonTitle: '닫기',
                noResultsText: '찾는 내용이 없습니다:',
                footer: { selectText: '고르기', navigateText: '이동', closeText: '닫기' },
              },
            },
          },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: repositoryUrl }],
  },
  transformPageData({ relativePath, frontmatter }) {
    const source = byPath.get(relativePath)?.source;
    const translation = otherLanguage(relativePath);
    if (source !== undefined) frontmatter['source'] = `${repositoryUrl}/blob/main/${source}`;
    if (translation !== undefined) frontmatter['translation'] = `/${translation.replace(/md$/, 'html')}`;
  },
  transformHead: ({ pageData }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: base + pageData.relativePath }],
  ],
  buildEnd: ({ outDir }) => writeTexts(outDir),
});
