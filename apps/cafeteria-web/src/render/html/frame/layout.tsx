import type { Child, FC } from 'hono/jsx';
import { perLanguage } from '../../i18n/messages.ts';
import { linkTo, type PageContext } from '../../page-context.ts';
import { Head, type HeadProps } from './head.tsx';
import { Icon, IconShapes } from './icon.tsx';
import { SEARCH_PARAMETER, SEARCH_TOOL } from './search-tool.ts';
import { rendered } from './template.ts';

export interface LayoutProps extends HeadProps {
  /** The compact search box in the header; the home page has its own. @default true */
  readonly headerSearch?: boolean;
  /** True when parts marked with `data-live` are on their way: a script puts them in place. @default false */
  readonly loading?: boolean;
  /** True when it shows the present meal, which is another one before long. @default false */
  readonly current?: boolean;
  readonly children?: Child;
}

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
          <form class="mini-search" action="/" role="search" {...SEARCH_TOOL}>
            <input
              type="search"
              name="q"
              {...SEARCH_PARAMETER}
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

const footer = perLanguage((text) =>
  rendered(
    <footer class="site">
      <p>{text.source}</p>
      <p>{text.allergens}</p>
      <fieldset class="themes" hidden>
        <legend>{text.theme}</legend>
        {(['', 'light', 'dark'] as const).map((theme) => (
          <label>
            <input type="radio" name="theme" value={theme} /> {text.themes[theme]}
          </label>
        ))}
      </fieldset>
      <p class="links">
        <a href="/rss.xml">{text.rss}</a>
        <a href="/llms.txt">{text.forAssistants}</a>
        <a href="/openapi.json">{text.apiDescription}</a>
      </p>
    </footer>,
  ),
);

export const Layout: FC<LayoutProps> = (props) => {
  const { page, path, headerSearch = true, loading = false, current = false, children } = props;
  const scripts = [
    ...(props.scripts ?? []),
    ...(loading ? ['loading.js'] : []),
    ...(current ? ['moment.js'] : []),
  ];
  return (
    <html lang={page.language}>
      <Head {...props} scripts={scripts} />
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
        <main
          id="content"
          {...(loading ? { 'data-loading': '' } : {})}
          {...(current ? { 'data-until': String(page.momentUntilMs) } : {})}
        >
          {children}
        </main>
        <nav class="site-links" aria-label={page.text.siteLinks}>
          <a href={linkTo(page, '/takeout')}>{page.text.takeoutTitle}</a>
          <a href={linkTo(page, '/alarm')}>{page.text.alarmTitle}</a>
          <a href={linkTo(page, '/privacy')}>{page.text.privacyTitle}</a>
        </nav>
        {footer(page.text)}
      </body>
    </html>
  );
};
