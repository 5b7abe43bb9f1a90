import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { JsonValue } from 'rostack-core';
import type { ExplorerField } from '../../explorer-data.ts';
import { JsonView } from '../parts/json-view.tsx';
import { valueAt, valueInWords } from '../values.ts';

interface ItemDialogProps {
  readonly title: string;
  readonly fields: readonly ExplorerField[];
  /** Undefined while it is read. */
  readonly value: JsonValue | undefined;
  /** Said above the fields. */
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
