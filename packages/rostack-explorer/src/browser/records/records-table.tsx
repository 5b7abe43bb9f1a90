import type { JsonObject } from 'rostack-core';
import type { ExplorerField, ExplorerResource } from '../../description/explorer-data.ts';
import { idOf, valueAt, valueInWords } from '../parts/values.ts';

/** The field that records are sorted by, and the direction. */
export interface SortOrder {
  readonly pointer: string;
  readonly descending: boolean;
}

interface RecordsTableProps {
  readonly resource: ExplorerResource;
  /** The id comes first. */
  readonly columns: readonly ExplorerField[];
  readonly records: readonly JsonObject[];
  readonly sort: SortOrder | undefined;
  readonly onSort: (sort: SortOrder | undefined) => void;
  readonly onOpen: (record: JsonObject) => void;
}

const isNumeric = ({ types }: ExplorerField): boolean =>
  types.includes('number') || types.includes('integer');

/** Not sorted, then ascending, then descending, then not sorted again. */
function nextSort(pointer: string, sort: SortOrder | undefined): SortOrder | undefined {
  if (sort?.pointer !== pointer) return { pointer, descending: false };
  return sort.descending ? undefined : { pointer, descending: true };
}

/** Records as rows; the heads of sortable columns are buttons, and so is each id. */
export function RecordsTable({ resource, columns, records, sort, onSort, onOpen }: RecordsTableProps) {
  return (
    <section class="scroller" tabIndex={0} aria-label={`Records of ${resource.name}`}>
      <table class="records">
        <thead>
          <tr>
            {columns.map((field) => (
              <ColumnHead key={field.pointer} field={field} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, row) => (
            <tr key={idOf(record, resource.idPath) || row}>
              {columns.map((field, index) => {
                const text = valueInWords(valueAt(record, field.tokens));
                if (index > 0) {
                  return (
                    <td key={field.pointer} class={isNumeric(field) ? 'number' : undefined}>
                      {text}
                    </td>
                  );
                }
                return (
                  <th key={field.pointer} scope="row">
                    <button type="button" class="link" onClick={() => onOpen(record)}>
                      {text}
                    </button>
                  </th>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ColumnHeadProps extends Pick<RecordsTableProps, 'sort' | 'onSort'> {
  readonly field: ExplorerField;
}

function ColumnHead({ field, sort, onSort }: ColumnHeadProps) {
  const { pointer, path, sortable } = field;
  const numeric = isNumeric(field) ? 'number' : undefined;
  if (!sortable) {
    return (
      <th scope="col" class={numeric}>
        {path}
      </th>
    );
  }
  const direction = sort?.pointer !== pointer ? 'none' : sort.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={numeric} aria-sort={direction}>
      <button type="button" class="sort" onClick={() => onSort(nextSort(pointer, sort))}>
        {path}
        <span aria-hidden="true">{{ none: '↕', ascending: '↑', descending: '↓' }[direction]}</span>
      </button>
    </th>
  );
}
