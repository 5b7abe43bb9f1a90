import { type FoundModel } from '../html/home/found.tsx';
import { nothingFound } from '../nothing-found.ts';
import { linkTo, type PageContext } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { incompleteNotes } from '../unread-notes.ts';
import { restaurantLine } from './home-markdown.ts';

/** What a search finds, as Markdown. */
export function renderFoundMarkdown(page: PageContext, model: FoundModel): string {
  const { text, origin } = page;
  const { query, results, incomplete } = model;
  const lines = [`# ${text.siteName}`, '', text.description, ''];
  if (page.sampleData) lines.push(`> ${text.sampleData}`, '');
  lines.push(`## ${text.searchTitle(escapeMarkdown(query))}`, '');
  lines.push(...incompleteNotes(page, incomplete).flatMap((note) => [`> ${note}`, '']));
  if (results.length === 0) lines.push(nothingFound(page, query, incomplete.length > 0));
  lines.push(...results.map((each) => restaurantLine(page, each)));
  const dishes = `${origin}${linkTo(page, '/search', { q: query })}`;
  lines.push('', `- [${text.dishSearch(escapeMarkdown(query))}](${dishes})`, '', text.allergens, '');
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
