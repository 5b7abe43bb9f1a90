import type { Child } from 'hono/jsx';
import type { Favourite } from '../../../domain/favourite.ts';
import type { PageContext } from '../../page-context.ts';
import { siteFeeds } from '../../subscriptions.ts';
import { toDocument } from '../frame/document.ts';
import { Layout } from '../frame/layout.tsx';

interface HomeShell {
  /** Path with its query, without the language. */
  readonly path: string;
  /** What was searched for, if anything was. */
  readonly query?: string;
  readonly mine: readonly Favourite[];
  /** True when part of what the page shows is still being read. */
  readonly loading: boolean;
  readonly scripts?: readonly string[];
}

/** The document of every page at `/`. */
export function homeDocument(page: PageContext, shell: HomeShell, children: Child): string {
  const { text } = page;
  const { path, query, mine, loading, scripts = [] } = shell;
  return toDocument(
    <Layout
      page={page}
      title={
        query === undefined
          ? `${text.siteName} — ${text.tagline}`
          : `${text.searchTitle(query)} | ${text.siteName}`
      }
      description={text.description}
      path={path}
      indexed={query === undefined}
      headerSearch={false}
      feeds={siteFeeds(page, mine)}
      scripts={['suggestions.js', 'favourites.js', 'photos.js', ...scripts]}
      loading={loading}
      current={query === undefined}
      jsonLd={{
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: text.siteName,
        url: `${page.origin}/`,
        inLanguage: ['ko', 'en'],
        potentialAction: {
          '@type': 'SearchAction',
          target: `${page.origin}/?q={search_term_string}`,
          'query-input': 'required name=search_term_string',
        },
      }}
    >
      {children}
    </Layout>,
  );
}
