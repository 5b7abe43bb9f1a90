import type { Context } from 'hono';
import type { MenuService, WaitOptions } from 'menu-client';
import { RETRY_LATER } from '../../answers/http/headers.ts';
import type { Page } from '../../answers/http/pages.ts';
import { renderFound } from '../../render/html/home/found.tsx';
import { renderFoundMarkdown } from '../../render/markdown/found-markdown.ts';
import { isFirstReading } from '../../render/unread-notes.ts';

export const MAX_QUERY_LENGTH = 100;
const RESULT_LIMIT = 50;

interface Question {
  readonly service: MenuService;
  readonly query: string;
  /** Of my restaurants. */
  readonly cookie: string | undefined;
  readonly nowMs: number;
  readonly today: string;
  readonly wait: WaitOptions;
}

/** What a search finds. */
export async function foundFor(_c: Context, question: Question): Promise<{ page: Page; status: number }> {
  const { service, query, wait } = question;
  const { restaurants: results, incomplete } = await service.search(query, { limit: RESULT_LIMIT, ...wait });
  const model = {
    query,
    results,
    incomplete,
    resultLimit: RESULT_LIMIT,
    loading: incomplete.some(isFirstReading),
  };
  const nothing = results.length === 0 && incomplete.length > 0;
  return {
    // Programs would take a 200 without results for a complete answer.
    status: nothing ? 503 : 200,
    page: {
      path: `/?${new URLSearchParams({ q: query }).toString()}`,
      unread: incomplete.length > 0,
      html: (page) => renderFound(page, model),
      markdown: (page) => renderFoundMarkdown(page, model),
      ...(nothing ? { headers: RETRY_LATER } : {}),
    },
  };
}
