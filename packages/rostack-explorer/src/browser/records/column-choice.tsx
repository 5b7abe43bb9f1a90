import type { ExplorerField } from '../../description/explorer-data.ts';

interface ColumnChoiceProps {
  readonly columns: readonly ExplorerField[];
  readonly chosen: readonly ExplorerField[];
  readonly onChoose: (columns: readonly ExplorerField[]) => void;
}

/** Which fields have a column; the id always has one. */
export function ColumnChoice({ columns, chosen, onChoose }: ColumnChoiceProps) {
  const [id, ...others] = columns;
  return (
    <details class="choice">
      <summary>
        Columns ({chosen.length} of {columns.length})
      </summary>
      <fieldset class="event-types">
        <legend>Columns next to {id?.path}</legend>
        {others.map((field) => (
          <label key={field.pointer} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(field)}
              onChange={({ currentTarget: { checked } }) =>
                onChoose(columns.filter((each) => (each === field ? checked : chosen.includes(each))))
              }
            />
            <code>{field.path}</code>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
