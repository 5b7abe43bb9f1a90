import { renderCalendar } from '../../render/ics/menu-calendar.ts';
import type { PageContext } from '../../render/page-context.ts';
import { escapeXml } from '../../render/plain-text.ts';
import { renderFeed } from '../../render/rss/menu-feed.ts';

interface FeedError {
  /** Path of the feed. */
  readonly path: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

interface Medium {
  /** Paths that answer in this medium, errors included. */
  readonly address: RegExp;
  readonly type: string;
  readonly render: (page: PageContext, error: FeedError) => string;
}

/** Errors in a form that feed readers understand: a feed that says why there is none. */
export const FEED_ERRORS: readonly Medium[] = [
  {
    address: /\/rss\.xml$|^\/alarm\.rss$/,
    type: 'application/rss+xml; charset=utf-8',
    render: (page, { path, status, title, detail }) =>
      renderFeed(
        page,
        {
          title: `${status} ${title}`,
          description: detail,
          pagePath: '/',
          feedPath: path,
          changedAt: undefined,
        },
        [],
      ),
  },
  {
    address: /\.ics$/,
    type: 'text/calendar; charset=utf-8',
    render: (page, { status, title, detail }) => renderCalendar(page, [], `${status} ${title}`, detail),
  },
  {
    address: /^\/sitemap\.xml$/,
    type: 'application/problem+xml',
    // RFC 9457 appendix B.
    render: (_page, { status, title, detail }) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<problem xmlns="urn:ietf:rfc:7807"><type>about:blank</type><title>${escapeXml(title)}</title><status>${status}</status><detail>${escapeXml(detail)}</detail></problem>\n`,
  },
];
