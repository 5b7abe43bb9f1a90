import { useMemo, useState } from 'preact/hooks';
import type { JsonObject, JsonValue } from 'rostack-core';
import { chooseColumns, possibleColumns } from '../../description/choose-columns.ts';
import type { ExplorerData, ExplorerField, ExplorerResource } from '../../description/explorer-data.ts';
import { EMPTY_DRAFT, FilterBuilder } from '../filter/filter-builder.tsx';
import { toFilter } from '../filter/to-filter.ts';
import { Failure, toFailureText } from '../parts/failure.tsx';
import { ItemDialog } from '../parts/item-dialog.tsx';
import { idOf, tokensOf } from '../parts/values.ts';
import type { Session } from '../session/session.ts';
import { ColumnChoice } from './column-choice.tsx';
import { useLatest, usePageChain } from './page-chain.ts';
import { RecordsTable, type SortOrder } from './records-table.tsx';
import { type RecordsQuery, RequestLine } from './request-line.tsx';

const PAGE_SIZES = [10, 25, 50, 100];
const DEFAULT_PAGE_SIZE = 10;

interface RecordsViewProps {
  readonly session: Session;
  readonly data: ExplorerData;
}

interface OpenItem {
  readonly id: string;
  readonly record: JsonValue | undefined;
  readonly etag: string | undefined;
  readonly note: string | undefined;
}

/** A collection as a table: filter, sort, pages, and one record at a time. */
export function RecordsView({ session, data }: RecordsViewProps) {
  const { resource, maxPageSize } = data;
  const columns = useMemo(() => possibleColumns(resource), [resource]);
  const [chosen, setChosen] = useState(() => chooseColumns(columns));
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>();
  const [query, setQuery] = useState<RecordsQuery>({
    filter: undefined,
    sort: firstSort(columns),
    pageSize: Math.min(DEFAULT_PAGE_SIZE, maxPageSize),
  });
  const [item, setItem] = useState<OpenItem>();
  const chain = usePageChain(session, resource, query);
  const latest = useLatest();

  const apply = () => {
    const result = toFilter(draft.conditions, draft.match, resource.fields);
    setFaults(result.faults);
    if (result.faults === undefined) setQuery({ ...query, filter: result.filter });
  };

  const open = async (listed: JsonObject): Promise<void> => {
    const signal = latest();
    let id = idOf(listed, resource.idPath);
    try {
      if (id === '') id = await foundIdOf(session, resource, listed, signal);
    } catch (error) {
      if (signal.aborted) return;
      const note = `As it was listed: ${error instanceof Error ? error.message : String(error)}`;
      setItem({ id: 'Record', record: listed, etag: undefined, note });
      return;
    }
    const empty = { id, record: undefined, etag: undefined };
    setItem({ ...empty, note: 'Reading' });
    try {
      const found = await session.client.get(resource.name, id, { signal });
      setItem(
        found.kind === 'found'
          ? { id, record: found.record as JsonValue, etag: found.etag, note: undefined }
          : { ...empty, note: 'This record does not exist any more.' },
      );
    } catch (error) {
      if (signal.aborted) return;
      const { title, advice } = toFailureText(error);
      setItem({ ...empty, note: `${title} ${advice}` });
    }
  };

  const sizes = [...new Set([...PAGE_SIZES.filter((size) => size < maxPageSize), maxPageSize])].filter(
    (size) => size <= 200,
  );
  return (
    <div class="records-view">
      <form
        class="query"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <FilterBuilder
          fields={resource.fields}
          draft={draft}
          faults={faults}
          idPrefix="records"
          onChange={setDraft}
        />
        <div class="query-actions">
          <label>
            Page size{' '}
            <select
              value={query.pageSize}
              onChange={(event) => setQuery({ ...query, pageSize: Number(event.currentTarget.value) })}
            >
              {sizes.map((size) => (
                <option key={size} value={size}>
                  {size}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="primary">
            Apply filter
          </button>
        </div>
      </form>
      <ColumnChoice columns={columns} chosen={chosen} onChoose={setChosen} />
      <RequestLine data={data} query={query} />
      {chain.failure === undefined ? null : (
        <Failure failure={chain.failure}>
          <button type="button" onClick={chain.reload}>
            Load again
          </button>
        </Failure>
      )}
      <div aria-busy={chain.busy}>
        {chain.records === undefined ? (
          <p class="note" role="status">
            {chain.busy ? 'Reading' : chain.failure === undefined ? 'No record matches.' : ''}
          </p>
        ) : (
          <RecordsTable
            resource={resource}
            columns={chosen}
            records={chain.records}
            sort={query.sort}
            onSort={(sort) => setQuery({ ...query, sort })}
            onOpen={(record) => void open(record)}
          />
        )}
      </div>
      {chain.records === undefined ? null : (
        <Pager
          number={chain.number}
          count={chain.records.length}
          hasPrevious={chain.hasPrevious}
          hasNext={chain.hasNext}
          onBack={chain.back}
          onForward={chain.forward}
        />
      )}
      {item === undefined ? null : (
        <ItemDialog
          title={item.id}
          fields={resource.fields}
          value={item.record}
          facts={
            <p class="note">
              {item.note ?? (
                <>
                  {resource.name}
                  {item.etag === undefined ? null : (
                    <>
                      , version <code>{item.etag.replaceAll('"', '')}</code>
                    </>
                  )}
                </>
              )}
            </p>
          }
          onClose={() => setItem(undefined)}
        />
      )}
    </div>
  );
}

/** Without a sort, records come in the order of their ids as texts, in which 10 is before 9. */
function firstSort([id]: readonly ExplorerField[]): SortOrder | undefined {
  const isNumber = id?.types.includes('integer') === true && !id.types.includes('string');
  return isNumber && id.sortable ? { pointer: id.pointer, descending: false } : undefined;
}

/** The id of a record that discovery says nothing about, where the client finds it. */
async function foundIdOf(
  { client }: Session,
  { name }: ExplorerResource,
  record: JsonObject,
  signal: AbortSignal,
): Promise<string> {
  const pointer = await client.recordId(name, { signal });
  const id = idOf(record, tokensOf(pointer));
  if (id === '') throw new Error(`this record has no id at ${pointer}.`);
  return id;
}

interface PagerProps {
  readonly number: number;
  readonly count: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly onBack: () => void;
  readonly onForward: () => void;
}

/** The place in a chain of pages, with buttons to move. */
function Pager({ number, count, hasPrevious, hasNext, onBack, onForward }: PagerProps) {
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={!hasPrevious} onClick={onBack}>
        Previous
      </button>
      <span role="status">
        Page {number}, {count} {count === 1 ? 'record' : 'records'}
      </span>
      <button type="button" disabled={!hasNext} onClick={onForward}>
        Next
      </button>
    </nav>
  );
}
