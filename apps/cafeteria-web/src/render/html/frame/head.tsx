import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { PageContext } from '../../page-context.ts';
import { plainLine } from '../../plain-text.ts';

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

// Hono looks through the whole page for the place of each link, except of one that is said to have a handler.
const IN_PLACE = { onLoad: undefined };

/** Links to the page itself: canonical, in either language, as Markdown. */
const Addresses: FC<{ page: PageContext; path: string }> = ({ page, path }) => {
  const own = page.origin + path;
  const inLanguage = (language: string): string => `${own}${path.includes('?') ? '&' : '?'}lang=${language}`;
  return (
    <>
      <link rel="canonical" href={page.languageInLinks ? inLanguage(page.language) : own} {...IN_PLACE} />
      <link rel="alternate" hreflang="ko" href={inLanguage('ko')} {...IN_PLACE} />
      <link rel="alternate" hreflang="en" href={inLanguage('en')} {...IN_PLACE} />
      <link rel="alternate" hreflang="x-default" href={own} {...IN_PLACE} />
      <link rel="alternate" type="text/markdown" href={own} title="Markdown" {...IN_PLACE} />
      <meta property="og:url" content={own} />
    </>
  );
};

export const Head: FC<HeadProps> = (props) => {
  const { page, path, indexed = true, addressed = true, feeds = [], scripts = [], jsonLd } = props;
  const { origin, text, assetUrl } = page;
  // Search results and messages show these: one line each, with nothing that changes the direction of the text around.
  const title = plainLine(props.title);
  const description = plainLine(props.description);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={description} />
      {indexed ? null : <meta name="robots" content="noindex" />}
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#fdfaf6" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#171412" media="(prefers-color-scheme: dark)" />
      {/* Not a module: it runs before anything is drawn. */}
      <script src={assetUrl('theme.js')} />
      <link rel="stylesheet" href={assetUrl('site.css')} />
      {[...SITE_SCRIPTS, ...scripts].map((name) => (
        <script type="module" src={assetUrl(name)} />
      ))}
      <link rel="icon" href={assetUrl('icon.svg')} type="image/svg+xml" {...IN_PLACE} />
      <link rel="apple-touch-icon" href={assetUrl('icon-192.png')} {...IN_PLACE} />
      <link rel="manifest" href="/manifest.webmanifest" {...IN_PLACE} />
      {addressed ? <Addresses page={page} path={path} /> : null}
      {feeds.map((feed) => (
        <link
          rel="alternate"
          type={feed.type}
          href={origin + feed.path}
          title={plainLine(feed.title)}
          {...IN_PLACE}
        />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={text.siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={page.language === 'ko' ? 'ko_KR' : 'en_US'} />
      <meta property="og:image" content={props.imageUrl ?? origin + assetUrl('icon-512.png')} />
      {jsonLd === undefined ? null : (
        // Not markup: a browser reads entities as they stand there.
        <script type="application/ld+json">{raw(embeddedJson(jsonLd))}</script>
      )}
    </head>
  );
};
