import type { FC } from 'hono/jsx';
import type { Restaurant } from 'menu-client';
import type { PageContext } from '../../page-context.ts';
import { subscriptions } from '../../subscriptions.ts';

/** Links to the feed and the calendar of a restaurant. */
export const Subscriptions: FC<{ page: PageContext; restaurant: Restaurant }> = ({ page, restaurant }) => (
  <nav class="formats" aria-label={page.text.feeds}>
    {subscriptions(page, restaurant).map(({ label, href }) => (
      <a href={href}>{label}</a>
    ))}
  </nav>
);
