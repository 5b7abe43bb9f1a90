import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { seoulToday } from 'menu-client';
import { mealSlot } from '../domain/meal-clock.ts';
import { seoulMinutes } from '../domain/seoul-time.ts';
import { MESSAGES, type Messages } from '../i18n/messages.ts';
import { renderErrorPage } from '../render/html/error-page.tsx';
import { estimateTokens } from '../render/markdown/count-tokens.ts';
import { renderErrorMarkdown } from '../render/markdown/error-markdown.ts';
import type { PageContext } from '../render/page-context.ts';
import { DISCOVERY_LINKS, HTML_HEADERS, MARKDOWN_HEADERS } from './headers.ts';
import { isLanguage, preferredLanguage } from './language.ts';
import { linkOrigin } from './origin.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import { NEVER_READ, type ReadingMark } from './readings.ts';
import { pageKey, withLanguage } from './ready-key.ts';
import { Rendering } from './rendering.ts';
import { respond } from './respond.ts';
import type { Site } from './site.ts';
import { validFrom } from './validity.ts';

/** One page in both forms. */
export interface Page {
  /** How the page is kept: its own address without the language; undefined: it belongs to one visitor and is never kept. */
  readonly key?: string;
  /** Changes whenever the page would. */
  readonly version?: string;
  /** Taken before the page's data were asked for. @default the page depends on no reading */
  readonly mark?: ReadingMark;
  /** Path and query of this page, for the link between its two forms. */
  readonly path: string;
  readonly html: (page: PageContext) => string;
  readonly markdown: (page: PageContext) => string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a page is rendered with, from the request. */
export function pageContext(c: Context, site: Site): PageContext {
  const asked = c.req.query('lang');
  const languageInLinks = isLanguage(asked);
  const language = languageInLinks ? asked : preferredLanguage(c.req.header('accept-language'));
  return {
    origin: linkOrigin(site, c.req.header('host')),
    language,
    languageInLinks,
    text: MESSAGES[language],
    today: seoulToday(site.nowMs()),
    sampleData: site.sampleData,
    assetUrl: site.assets.url,
  };
}

/** Feeds are Korean unless their address asks for English: readers send whatever language they run in. */
export function feedContext(c: Context, site: Site): PageContext {
  const context = pageContext(c, site);
  return context.languageInLinks ? context : { ...context, language: 'ko', text: MESSAGES.ko };
}

function render(
  context: PageContext,
  page: Page,
  markdown: boolean,
): { text: string; headers: Record<string, string> } {
  if (markdown) {
    const text = page.markdown(context);
    return { text, headers: { ...MARKDOWN_HEADERS, 'x-markdown-tokens': String(estimateTokens(text)) } };
  }
  const link = `<${context.origin}${page.path}>; rel="alternate"; type="text/markdown", ${DISCOVERY_LINKS}`;
  return { text: page.html(context), headers: { ...HTML_HEADERS, Link: link } };
}

function keyOf(c: Context, site: Site, own: string): string {
  const asked = c.req.query('lang');
  const fields = {
    accept: c.req.header('accept'),
    acceptLanguage: c.req.header('accept-language'),
    host: c.req.header('host'),
  };
  return pageKey(site, fields, withLanguage(own, isLanguage(asked) ? asked : undefined));
}

/** The answer when this page was rendered, or found unchanged, moments ago. @param own its address without the language */
export function sendRecent(c: Context, site: Site, own: string): Promise<Response> | undefined {
  const recent = site.renderings.recent(keyOf(c, site, own), site.nowMs());
  return recent === undefined ? undefined : respond(c, recent.rendering);
}

/** Answers with the page in the form and language that the request prefers. */
export async function sendPage(c: Context, site: Site, page: Page, status = 200): Promise<Response> {
  const context = pageContext(c, site);
  const markdown = prefersMarkdown(c.req.header('accept'));
  const nowMs = site.nowMs();
  // Pages say what is today and which meal is now.
  const version = `${context.today} ${mealSlot(seoulMinutes(nowMs))} ${page.version ?? ''}`;
  const make = () => {
    const { text, headers } = render(context, page, markdown);
    return new Rendering(
      text,
      { ...headers, 'Content-Language': context.language, ...page.headers },
      version,
    );
  };
  if (page.key === undefined) return respond(c, make(), status);
  const validity = validFrom(nowMs, page.mark ?? NEVER_READ);
  const kept = site.renderings.get(keyOf(c, site, page.key), version, routePath(c), validity, make);
  return respond(c, kept, status);
}

export type PageErrorName = keyof Messages['errors'];

const STATUS: Readonly<Record<PageErrorName, number>> = {
  notFound: 404,
  restaurantNotFound: 404,
  menuNotFound: 404,
  badDate: 400,
  badView: 400,
  badQuery: 400,
  methodNotAllowed: 405,
  tooMany: 429,
  operatorDown: 503,
  internal: 500,
};

/** Answers with the page of an error, as Markdown for those who prefer it. */
export function sendErrorPage(
  c: Context,
  site: Site,
  name: PageErrorName,
  headers: Readonly<Record<string, string>> = {},
  requestId?: string,
): Promise<Response> {
  const status = STATUS[name];
  const model = (page: PageContext) => ({
    status,
    ...page.text.errors[name],
    ...(requestId !== undefined && name === 'internal' ? { requestId } : {}),
  });
  const page: Page = {
    path: new URL(c.req.url).pathname,
    html: (context) => renderErrorPage(context, model(context)),
    markdown: (context) => renderErrorMarkdown(context, model(context)),
    headers: { 'Cache-Control': 'no-store', ...headers },
  };
  return sendPage(c, site, page, status);
}
