import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { JsonObject } from 'rostack-core';
import type { ExplorerResource } from '../../description/explorer-data.ts';
import { type FailureText, toFailureText } from '../parts/failure.tsx';
import type { Session } from '../session/session.ts';
import { type RecordsQuery, sortText } from './request-line.tsx';

/** One page of records, as it was read. */
export interface RecordPage {
  readonly records: readonly JsonObject[];
}

/**
 * Pages of one consistent chain: forward by reading, back through what was read. One page is read ahead, to know whether there is
 * a next one.
 */
export class PageChain {
  readonly #source: AsyncIterator<RecordPage, void, undefined>;
  readonly #pages: RecordPage[] = [];
  #index = -1;
  #ended = false;

  constructor(pages: AsyncIterable<RecordPage, void, undefined>) {
    this.#source = pages[Symbol.asyncIterator]();
  }

  /** The page in view; undefined before the first `forward`. */
  get page(): RecordPage | undefined {
    return this.#pages[this.#index];
  }

  /** From 1; 0 before the first `forward`. */
  get number(): number {
    return this.#index + 1;
  }

  get hasPrevious(): boolean {
    return this.#index > 0;
  }

  get hasNext(): boolean {
    return this.#index + 1 < this.#pages.length;
  }

  /** Whether the page after the one in view is not known yet. */
  get isReadingAhead(): boolean {
    return !this.hasNext && !this.#ended;
  }

  /** Shows the next page. @throws what the source throws */
  async forward(): Promise<void> {
    if (!this.hasNext) await this.readAhead();
    if (this.hasNext) this.#index += 1;
  }

  /** Shows the previous page, as it was read. */
  back(): void {
    if (this.hasPrevious) this.#index -= 1;
  }

  /** Reads the page after the one in view. @throws what the source throws */
  async readAhead(): Promise<void> {
    if (!this.isReadingAhead) return;
    const { done, value } = await this.#source.next();
    if (done === true) this.#ended = true;
    else this.#pages.push(value);
  }
}

/** What a table shows of a chain of pages, with functions to move in it. */
export interface PageChainView {
  /** Undefined before the first page, and if nothing matches. */
  readonly records: readonly JsonObject[] | undefined;
  readonly number: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly busy: boolean;
  readonly failure: FailureText | undefined;
  readonly back: () => void;
  readonly forward: () => void;
  readonly reload: () => void;
}

const increment = (count: number): number => count + 1;

/** The pages of a query, started again when the query changes; the old page stays in view until the new one is there. */
export function usePageChain(
  session: Session,
  resource: ExplorerResource,
  query: RecordsQuery,
): PageChainView {
  const shown = useRef<PageChain>(undefined);
  const [, redraw] = useReducer(increment, 0);
  const [attempt, reload] = useReducer(increment, 0);
  const [busy, setBusy] = useState(true);
  const [failure, setFailure] = useState<FailureText>();
  const signal = useRef<AbortSignal>(undefined);
  const latest = useLatest();

  const forward = async (chain: PageChain, present: AbortSignal): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await chain.forward();
      if (present.aborted) return;
      shown.current = chain;
      setBusy(false);
      await chain.readAhead();
    } catch (error) {
      if (present.aborted) return;
      shown.current = chain;
      setFailure(toFailureText(error));
      setBusy(false);
    }
    if (!present.aborted) redraw(undefined);
  };

  useEffect(() => {
    const present = latest();
    signal.current = present;
    const list = session.client.list<JsonObject>(resource.name, {
      pageSize: query.pageSize,
      signal: present,
      ...(query.filter === undefined ? {} : { filter: query.filter }),
      ...(query.sort === undefined ? {} : { sort: [sortText(query.sort)] }),
    });
    void forward(new PageChain(list.pages()), present);
  }, [session, resource, query, attempt]);

  const chain = shown.current;
  const records = chain?.page?.records;
  return {
    records: records?.length === 0 ? undefined : records,
    number: chain?.number ?? 0,
    hasPrevious: chain?.hasPrevious ?? false,
    hasNext: chain?.hasNext ?? false,
    busy,
    failure,
    back: () => {
      chain?.back();
      redraw(undefined);
    },
    forward: () => {
      if (chain !== undefined && signal.current !== undefined) void forward(chain, signal.current);
    },
    reload: () => reload(undefined),
  };
}

/** Returns a signal for each new piece of work and aborts the previous one; all end with the component. */
export function useLatest(): () => AbortSignal {
  const present = useRef<AbortController>(undefined);
  useEffect(() => () => present.current?.abort(), []);
  return () => {
    present.current?.abort();
    present.current = new AbortController();
    return present.current.signal;
  };
}
