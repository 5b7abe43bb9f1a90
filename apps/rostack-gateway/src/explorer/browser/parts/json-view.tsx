import type { JsonValue } from 'rostack-core';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;

/** JSON with its parts in colours; text only, nothing of it becomes markup. */
export function JsonView({ value, label }: { readonly value: JsonValue; readonly label: string }) {
  const text = JSON.stringify(value, null, 2);
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match;
    parts.push(text.slice(end, match.index));
    parts.push(
      <span key={match.index} class={kindOf(quoted, colon)}>
        {quoted ?? whole}
      </span>,
    );
    if (colon !== undefined) parts.push(colon);
    end = match.index + whole.length;
  }
  return (
    <pre class="json" tabIndex={0} aria-label={label} role="region">
      <code>
        {parts}
        {text.slice(end)}
      </code>
    </pre>
  );
}

function kindOf(quoted: string | undefined, colon: string | undefined): string {
  if (quoted === undefined) return 'json-literal';
  return colon === undefined ? 'json-text' : 'json-name';
}
