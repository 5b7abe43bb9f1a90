import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { askableDates, estimateTokens, mealSlot, nextMealMs, seoulToday } from 'menu-client';
import type { PhotoLook } from '../../photos/photo-shelf.ts';
import type { SiteIdentity } from '../../render/discovery/identity.ts';
import { renderErrorMarkdown, renderErrorPage } from '../../render/html/notices/error-page.tsx';
import { isLanguage, preferredLanguage } from '../../render/i18n/language.ts';
import { MESSAGES, type Messages } from '../../render/i18n/messages.ts';
import type { PageContext } from '../../render/page-context.ts';
import type { AnswerCache } from '../answer-cache.ts';
import type { OriginOf } from '../link-origin.ts';
import { prefersMarkdown } from '../prefers-markdown.ts';
import type { Unchanged } from '../readings.ts';
import { Rendering } from '../rendering.ts';
import { askedBy, respond } from '../respond.ts';
import { FEED_ERRORS } from './feed-errors.ts';
import { BASE_HEADERS, DISCOVERY_LINKS, HTML_HEADERS, MARKDOWN_HEADERS, NOT_KEPT } from './headers.ts';

/** One page in both forms. */
export interface Page {
  /** Path and query of this page without its language. */
  readonly path: string;
  /** Changes whenever the page would; absent: the page belongs to one visitor and is never kept. */
  readonly version?: string;
  /** Created before asking for the page's data. @default the page depends on no reading */
  readonly unchanged?: Unchanged;
  /** True when a part is not read, or not yet: then nobody caches the page, not even we. @default false */
  readonly unread?: boolean;
  readonly html: (page: PageContext) => string;
  readonly markdown: (page: PageContext) => string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One feed or calendar; it does not depend on its reader's preferences. */
export interface Feed extends Required<Pick<Page, 'path' | 'version' | 'unchanged' | 'unread' | 'headers'>> {
  readonly render: (page: PageContext) => string;
}

export type PageErrorName = keyof Messages['errors'];

const STATUS: Readonly<Record<PageErrorName, number>> = {
  notFound: 404,
  restaurantNotFound: 404,
  menuNotFound: 404,
  badDate: 400,
  dateOutOfRange: 404,
  badView: 400,
  badQuery: 400,
  badAlarm: 400,
  methodNotAllowed: 405,
  tooMany: 429,
  operatorDown: 503,
  menuLoading: 503,
  catalogueLoading: 503,
  catalogueUnread: 503,
  internal: 500,
};

/** What the page itself shows once it is read. */
const LOADING: ReadonlySet<PageErrorName> = new Set<PageErrorName>(['menuLoading', 'catalogueLoading']);

/** What else an error page says. */
export interface ErrorDetails {
  /** To find the fault in the log. */
  readonly requestId?: string;
  /** Why an operator could not be read: the code of the failure. */
  readonly reason?: string;
}

export interface PagesOptions {
  readonly answers: AnswerCache;
  readonly originOf: OriginOf;
  readonly identity: SiteIdentity;
  readonly assetUrl: (name: string) => string;
  /** For one answer. */
  readonly lookAtPhotos: () => PhotoLook;
  readonly sampleData: boolean;
  readonly nowMs: () => number;
}

/** Renders the pages and feeds that are requested, and keeps those that others may request too. */
export class Pages {
  readonly #options: PagesOptions;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** Answers with the page in the form and language that the request prefers. */
  async send(c: Context, page: Page, status = 200): Promise<Response> {
    const context = this.#context(c);
    const asMarkdown = prefersMarkdown(c.req.header('accept'));
    const make = () => render(context, page, asMarkdown);
    if (page.version === undefined || page.unread === true) return respond(c, make(), status);
    // Pages show which day is today and which meal is current.
    const slot = mealSlot(this.#options.nowMs());
    const version = `${context.today} ${slot} ${page.version}`;
    return respond(c, this.#keep(c, page, version, context.photos, make), status);
  }

  /** Answers with an error page, as Markdown for clients that prefer it; at a feed's address, with a feed. */
  sendError(
    c: Context,
    name: PageErrorName,
    headers: Readonly<Record<string, string>> = {},
    { requestId, reason }: ErrorDetails = {},
  ): Promise<Response> {
    const status = STATUS[name];
    const path = new URL(c.req.url).pathname;
    const medium = FEED_ERRORS.find(({ address }) => address.test(path));
    if (medium !== undefined) {
      const { title, detail } = this.#errorText(this.#feedContext(c), name, reason);
      const request = requestId !== undefined && name === 'internal' ? ` (${requestId})` : '';
      const body = medium.render(this.#feedContext(c), { path, status, title, detail: detail + request });
      return respond(
        c,
        new Rendering(body, { ...BASE_HEADERS, ...NOT_KEPT, 'Content-Type': medium.type, ...headers }),
        status,
      );
    }
    const model = (page: PageContext) => ({
      status,
      loading: LOADING.has(name),
      ...this.#errorText(page, name, reason),
      ...(requestId !== undefined && name === 'internal' ? { requestId } : {}),
    });
    const page: Page = {
      path,
      html: (context) => renderErrorPage(context, model(context)),
      markdown: (context) => renderErrorMarkdown(context, model(context)),
      headers: { ...NOT_KEPT, ...headers },
    };
    return this.send(c, page, status);
  }

  /** Feeds are Korean unless their address asks for English: feed readers send the language of their own interface. */
  sendFeed(c: Context, feed: Feed): Promise<Response> {
    const context = this.#feedContext(c);
    const make = () =>
      new Rendering(feed.render(context), { ...feed.headers, ...(feed.unread ? NOT_KEPT : {}) });
    if (feed.unread) return respond(c, make());
    // The seven days of a calendar begin today.
    return respond(c, this.#keep(c, feed, `${context.today} ${feed.version}`, context.photos, make));
  }

  #errorText(
    { text }: PageContext,
    name: PageErrorName,
    reason: string | undefined,
  ): Messages['errors'][PageErrorName] {
    const error = text.errors[name];
    if (reason !== undefined) return { ...error, detail: `${error.detail} (${text.reason(reason)})` };
    if (name !== 'dateOutOfRange') return error;
    const { from, to } = askableDates(this.#options.nowMs());
    return {
      ...error,
      detail: `${text.askableDates(text.longDate(from), text.longDate(to))} ${error.detail}`,
    };
  }

  #feedContext(c: Context): PageContext & { readonly photos: PhotoLook } {
    const asked = this.#context(c);
    return asked.languageInLinks ? asked : { ...asked, language: 'ko', text: MESSAGES.ko };
  }

  /** What a page is rendered with, from the request. */
  #context(c: Context): PageContext & { readonly photos: PhotoLook } {
    const { originOf, identity, nowMs, sampleData, assetUrl, lookAtPhotos } = this.#options;
    const asked = c.req.query('lang');
    const languageInLinks = isLanguage(asked);
    const language = languageInLinks ? asked : preferredLanguage(c.req.header('accept-language'));
    return {
      origin: originOf(c.req.header('host')),
      authority: identity.authority,
      language,
      languageInLinks,
      text: MESSAGES[language],
      today: seoulToday(nowMs()),
      momentUntilMs: nextMealMs(nowMs()),
      sampleData,
      assetUrl,
      photos: lookAtPhotos(),
    };
  }

  #keep(
    c: Context,
    { path, unchanged }: Page | Feed,
    version: string,
    { unchanged: samePhotos }: PhotoLook,
    make: () => Rendering,
  ): Rendering {
    const language = c.req.query('lang');
    // The language comes last in our links.
    const target = isLanguage(language) ? `${path}${path.includes('?') ? '&' : '?'}lang=${language}` : path;
    const keeping = { target, route: routePath(c), version, samePhotos, ...(unchanged && { unchanged }) };
    return this.#options.answers.keep(askedBy(c), keeping, make);
  }
}

function render(context: PageContext, page: Page, asMarkdown: boolean): Rendering {
  const unread = page.unread === true ? NOT_KEPT : {};
  const own = { 'Content-Language': context.language, ...page.headers, ...unread };
  if (asMarkdown) {
    const text = page.markdown(context);
    const tokens = String(estimateTokens(text));
    return new Rendering(text, { ...MARKDOWN_HEADERS, 'x-markdown-tokens': tokens, ...own });
  }
  const link = `<${context.origin}${page.path}>; rel="alternate"; type="text/markdown", ${DISCOVERY_LINKS}`;
  return new Rendering(page.html(context), { ...HTML_HEADERS, Link: link, ...own });
}
