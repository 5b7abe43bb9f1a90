import { matchedRanges } from 'menu-client';
import { escapeHtml, plainLine } from '../plain-text.ts';

/** An operator's text as HTML, with the matches of the query marked. */
export function markedHtml(text: string, query: string): string {
  const line = plainLine(text);
  let html = '';
  let end = 0;
  // Spaces around a piece are kept by hand: escaping trims it.
  const escape = (piece: string): string =>
    (/^\s/.test(piece) ? ' ' : '') + escapeHtml(piece) + (/\S\s+$/.test(piece) ? ' ' : '');
  for (const [from, to] of matchedRanges(line, query)) {
    html += `${escape(line.slice(end, from))}<mark>${escapeHtml(line.slice(from, to))}</mark>`;
    end = to;
  }
  return html + escape(line.slice(end));
}
