import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { JsonValue } from 'rostack-core';
import type { ExplorerField } from '../../description/explorer-data.ts';
import { valueAt, valueInWords } from './values.ts';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;

interface ItemDialogProps {
  readonly title: string;
  readonly fields: readonly ExplorerField[];
  /** Undefined while it is being read. */
  readonly value: JsonValue | undefined;
  /** Shown above the fields. */
  readonly facts?: ComponentChildren;
  readonly onClose: () => void;
}

/** One record, field by field and as JSON, over the page; Escape or the button closes it. */
export function ItemDialog({ title, fields, value, facts, onClose }: ItemDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="item"
      aria-labelledby="item-title"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="item-body">
        <header>
          <h3 id="item-title">{title}</h3>
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </header>
        {facts}
        {value === undefined ? null : (
          <>
            <FieldList fields={fields} value={value} />
            <h4>JSON</h4>
            <JsonView value={value} label={`JSON of ${title}`} />
          </>
        )}
      </div>
    </dialog>
  );
}

function FieldList({
  fields,
  value,
}: {
  readonly fields: readonly ExplorerField[];
  readonly value: JsonValue;
}) {
  const leaves = fields.filter(({ nested, types }) => !nested || types.includes('array'));
  const present = leaves.flatMap((field) => {
    const found = valueAt(value, field.tokens);
    return found === undefined ? [] : [{ field, found }];
  });
  return (
    <dl class="record">
      {present.map(({ field, found }) => (
        <div key={field.pointer}>
          <dt>{field.path}</dt>
          <dd>
            {valueInWords(found)}
            {field.description === undefined ? null : <span class="meaning">{field.description}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** JSON in colours; all of it stays text, so that none of it becomes markup. */
function JsonView({ value, label }: { readonly value: JsonValue; readonly label: string }) {
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
