import type { Child, FC } from 'hono/jsx';
import type { PageContext } from '../../page-context.ts';

/** What is still on its way: a script puts it in place when it is there; without scripts people are told to reload. */
export const LoadingNote: FC<{ page: PageContext; children?: Child }> = ({ page, children }) => (
  <p class="note loading">
    {children}
    <noscript> {page.text.loadingReload}</noscript>
  </p>
);
