interface MediaRange {
  readonly type: string;
  readonly q: number;
}

// RFC 9110 12.5.1: `#( media-range [ weight ] )`; a comma inside a quoted parameter does not separate two ranges.
const RANGE = /(?:[^,"]|"(?:\\.|[^"\\])*")+/g;
const WEIGHT = /;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*(?:;|$)/i;

function parseAccept(accept: string): MediaRange[] {
  return (accept.match(RANGE) ?? []).map((range) => ({
    type: (range.split(';', 1)[0] ?? '').trim().toLowerCase(),
    q: Math.min(1, Number(WEIGHT.exec(range)?.[1] ?? 1)),
  }));
}

/**
 * True when `text/markdown` is named with q > 0 and at least the q of `text/html`; a wildcard alone never asks for Markdown.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false;
  const ranges = parseAccept(accept);
  const quality = (types: readonly string[]): number => {
    for (const type of types) {
      const found = ranges.find((range) => range.type === type);
      if (found !== undefined) return found.q;
    }
    return 0;
  };
  const markdown = quality(['text/markdown']);
  return markdown > 0 && markdown >= quality(['text/html', 'text/*', '*/*']);
}
