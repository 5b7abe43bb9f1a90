import { dishNamesOf, foreignLanguage, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';

type Heading = 'h1' | 'h3';
type Named = { readonly name: string; readonly nameEn?: string };

/** A `lang` attribute for HTML that is Korean on an English page; else empty. */
export function langAttribute(page: PageContext, html: string): string {
  const language = foreignLanguage(page, html);
  return language === undefined ? '' : ` lang="${language}"`;
}

/**
 * A dish's name as it is on the signs, as a heading; under it, on English pages, the English one.
 *
 * @param shown makes HTML of a name, such as one with what was searched for marked; escapes by default
 * @param titled makes HTML of the heading's name, such as a link
 */
export function dishHeading(
  page: PageContext,
  heading: Heading,
  dish: Named,
  shown: (name: string) => string = escapeHtml,
  titled: (html: string) => string = (html) => html,
): string {
  const { korean, english } = dishNamesOf(page, dish);
  const html = shown(korean);
  const under =
    english === undefined ? '' : `<p class="other-name"${langAttribute(page, english)}>${shown(english)}</p>`;
  return `<${heading}${langAttribute(page, html)}>${titled(html)}</${heading}>${under}`;
}
