import type { FieldDescription } from '../description/describe-fields.ts';
import { Scroller } from './parts.tsx';

const INDENTS = ['depth-0', 'depth-1', 'depth-2', 'depth-3'] as const;

function FieldType({ field }: { readonly field: FieldDescription }) {
  const { types, format, values, limits } = field;
  return (
    <>
      <span class="type">{types.join(' or ') || 'any value'}</span>
      {format === undefined ? null : <span class="format"> {format}</span>}
      {values === undefined ? null : (
        <span class="values">
          {values.map((value) => (
            <code>{JSON.stringify(value)}</code>
          ))}
        </span>
      )}
      {limits.length === 0 ? null : <span class="limits">{limits.join('; ')}</span>}
    </>
  );
}

/** The path, with its last name emphasized. */
function FieldName({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf('.') + 1;
  return (
    <code>
      {cut === 0 ? null : <span class="parent">{path.slice(0, cut)}</span>}
      <b>{path.slice(cut)}</b>
    </code>
  );
}

/** Every field of a record: type, meaning, filter operators, sorting. */
export function FieldTable({
  name,
  fields,
}: {
  readonly name: string;
  readonly fields: readonly FieldDescription[];
}) {
  return (
    <Scroller label={`Fields of ${name}`}>
      <table class="fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
            <th scope="col">Filter operators</th>
            <th scope="col">Sort</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr>
              <th scope="row" class={INDENTS[Math.min(field.depth, INDENTS.length - 1)] ?? 'depth-0'}>
                <FieldName path={field.path} />
                {field.required ? null : <span class="optional"> optional</span>}
              </th>
              <td>
                <FieldType field={field} />
              </td>
              <td>{field.description}</td>
              <td class="operators">
                <code>{field.operators.join(' ')}</code>
              </td>
              <td>{field.sortable ? 'yes' : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
