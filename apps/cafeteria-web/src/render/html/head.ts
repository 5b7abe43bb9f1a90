import type { PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';

export interface HeadProps {
  readonly page: PageContext;
  readonly title: string;
  readonly description: string;
  /** Path with the query that belongs to the page's identity, without the language. */
  readonly path: string;
  /** False for pages that search engines should leave out. @default true */
  readonly indexed?: boolean;
  /** Pages with an address of their own carry canonical and alternate links. @default true */
  readonly addressed?: boolean;
  readonly imageUrl?: string;
  readonly feeds?: readonly { readonly title: string; readonly type: string; readonly path: string }[];
  /** Plain names of this page's scripts. */
  readonly scripts?: readonly string[];
  readonly jsonLd?: unknown;
}

const SITE_SCRIPTS = ['offline.js', 'browser-tools.js'];

/** Escapes `<`, so that no text can end the script element. */
const embeddedJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Links to the page itself: canonical, in either language, as Markdown. */
function addresses(page: PageContext, path: string): string {
  const own = escapeHtml(page.origin + path);
  const inLanguage = (language: string): string =>
    `${own}${path.includes('?') ? '&amp;' : '?'}lang=${language}`;
  return [
    `<link rel="canonical" href="${page.languageInLinks ? inLanguage(page.language) : own}"/>`,
    `<link rel="alternate" hreflang="ko" href="${inLanguage('ko')}"/>`,
    `<link rel="alternate" hreflang="en" href="${inLanguage('en')}"/>`,
    `<link rel="alternate" hreflang="x-default" href="${own}"/>`,
    `<link rel="alternate" type="text/markdown" href="${own}" title="Markdown"/>`,
    `<meta property="og:url" content="${own}"/>`,
  ].join('');
}

/** The head, as text: Hono's JSX would search all the text around each link for the place to put it. */
export function headHtml(props: HeadProps): string {
  const { page, path, indexed = true, addressed = true, feeds = [], scripts = [], jsonLd } = props;
  const { origin, text } = page;
  // Search results and messages show these: one line each, with nothing that changes the direction of the text around.
  const title = escapeHtml(props.title);
  const description = escapeHtml(props.description);
  const asset = (name: string): string => escapeHtml(page.assetUrl(name));
  const head = [
    '<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<title>${title}</title><meta name="description" content="${description}"/>`,
    indexed ? '' : '<meta name="robots" content="noindex"/>',
    '<meta name="color-scheme" content="light dark"/>',
    '<meta name="theme-color" content="#fdfaf6" media="(prefers-color-scheme: light)"/>',
    '<meta name="theme-color" content="#171412" media="(prefers-color-scheme: dark)"/>',
    // Not a module: it runs before anything is drawn.
    `<script src="${asset('theme.js')}"></script><link rel="stylesheet" href="${asset('site.css')}"/>`,
    ...[...SITE_SCRIPTS, ...scripts].map((name) => `<script type="module" src="${asset(name)}"></script>`),
    `<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml"/>`,
    `<link rel="apple-touch-icon" href="${asset('icon-192.png')}"/>`,
    '<link rel="manifest" href="/manifest.webmanifest"/>',
    addressed ? addresses(page, path) : '',
    ...feeds.map(
      (feed) =>
        `<link rel="alternate" type="${feed.type}" href="${escapeHtml(origin + feed.path)}" title="${escapeHtml(feed.title)}"/>`,
    ),
    '<meta property="og:type" content="website"/>',
    `<meta property="og:site_name" content="${escapeHtml(text.siteName)}"/>`,
    `<meta property="og:title" content="${title}"/>`,
    `<meta property="og:description" content="${description}"/>`,
    `<meta property="og:locale" content="${page.language === 'ko' ? 'ko_KR' : 'en_US'}"/>`,
    `<meta property="og:image" content="${escapeHtml(props.imageUrl ?? origin + page.assetUrl('icon-512.png'))}"/>`,
  ].join('');
  // Kept out of the join: it may be many times as long as all of the above.
  const data =
    jsonLd === undefined ? '' : `<script type="application/ld+json">${embeddedJson(jsonLd)}</script>`;
  return `${head}${data}</head>`;
}
