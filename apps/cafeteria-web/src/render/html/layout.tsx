import { raw } from 'hono/html';
import type { Child, FC } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import { linkTo, type PageContext } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { toText } from './document.ts';
import { Icon, IconShapes } from './icon.tsx';

export interface LayoutProps {
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
  /** The compact search box in the header; the home page has its own. @default true */
  readonly headerSearch?: boolean;
  readonly children?: Child;
}

const SITE_SCRIPTS = ['offline.js', 'browser-tools.js'];

/** `<` written as an escape: no text can end the script element. */
const embeddedJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const Head: FC<LayoutProps> = ({ page, path, indexed = true, addressed = true, ...rest }) => {
  // What a search result or a message shows of the page: nothing in it may turn the text around it.
  const title = plainLine(rest.title);
  const description = plainLine(rest.description);
  const { assetUrl, origin, text } = page;
  const withLanguage = (language: string): string =>
    `${origin}${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
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
      <link rel="stylesheet" href={assetUrl('site.css')} />
      {[...SITE_SCRIPTS, ...(rest.scripts ?? [])].map((name) => (
        <script type="module" src={assetUrl(name)} />
      ))}
      <link rel="icon" href={assetUrl('icon.svg')} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={assetUrl('icon-192.png')} />
      <link rel="manifest" href="/manifest.webmanifest" />
      {addressed ? (
        <>
          <link rel="canonical" href={page.languageInLinks ? withLanguage(page.language) : origin + path} />
          <link rel="alternate" hreflang="ko" href={withLanguage('ko')} />
          <link rel="alternate" hreflang="en" href={withLanguage('en')} />
          <link rel="alternate" hreflang="x-default" href={origin + path} />
          <link rel="alternate" type="text/markdown" href={origin + path} title="Markdown" />
          <meta property="og:url" content={origin + path} />
        </>
      ) : null}
      {(rest.feeds ?? []).map((feed) => (
        <link rel="alternate" type={feed.type} href={origin + feed.path} title={feed.title} />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={text.siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={page.language === 'ko' ? 'ko_KR' : 'en_US'} />
      <meta property="og:image" content={rest.imageUrl ?? origin + assetUrl('icon-512.png')} />
    </head>
  );
};

const Header: FC<{ page: PageContext; path: string; search: boolean }> = ({ page, path, search }) => {
  const { text } = page;
  const other = page.language === 'ko' ? 'en' : 'ko';
  const otherPath = `${path}${path.includes('?') ? '&' : '?'}lang=${other}`;
  return (
    <header class="site">
      <div class="bar">
        <a class="brand" href={linkTo(page, '/')}>
          <Icon name="bowl" />
          <span>{text.siteName}</span>
        </a>
        {search ? (
          <form class="mini-search" action="/" role="search">
            <input
              type="search"
              name="q"
              aria-label={text.searchLabel}
              placeholder={text.searchButton}
              maxlength={100}
            />
            {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
            <button type="submit" aria-label={text.searchButton}>
              <Icon name="search" />
            </button>
          </form>
        ) : null}
        <a class="language" href={otherPath} lang={other} hreflang={other}>
          {text.otherLanguage}
        </a>
      </div>
    </header>
  );
};

const Footer: FC<{ page: PageContext }> = ({ page }) => {
  const { text } = page;
  return (
    <footer class="site">
      <p>{text.source}</p>
      <p>{text.allergens}</p>
      <p class="links">
        <a href="/rss.xml">{text.rss}</a>
        <a href="/llms.txt">{text.forAssistants}</a>
        <a href="/openapi.json">{text.apiDescription}</a>
      </p>
    </footer>
  );
};

const HEAD_END = '</head>';

/**
 * The head by itself, and the data added to its text: Hono's JSX looks for the place of each link in all the text that it
 * is a part of, which in a whole page takes longer than the page.
 */
function renderHead(props: LayoutProps): HtmlEscapedString {
  const head = toText(<Head {...props} />);
  if (props.jsonLd === undefined) return raw(head);
  const data = `<script type="application/ld+json">${embeddedJson(props.jsonLd)}</script>`;
  return raw(head.slice(0, -HEAD_END.length) + data + HEAD_END);
}

export const Layout: FC<LayoutProps> = (props) => {
  const { page, path, headerSearch = true, children } = props;
  return (
    <html lang={page.language}>
      {renderHead(props)}
      <body>
        <IconShapes />
        <a class="skip" href="#content">
          {page.text.skipToContent}
        </a>
        {page.sampleData ? (
          <aside class="sample">
            <p>{page.text.sampleData}</p>
          </aside>
        ) : null}
        <Header page={page} path={path} search={headerSearch} />
        <main id="content">{children}</main>
        <Footer page={page} />
      </body>
    </html>
  );
};
