import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { JsonObject } from 'rostack-core';
import type { ExplorerResource } from '../../explorer-data.ts';
import { type FailureText, toFailureText } from '../failure-text.ts';
import type { Session } from '../session.ts';
import { useLatest } from '../use-latest.ts';
import { PageChain } from './page-chain.ts';
import { type RecordsQuery, sortText } from './request-line.tsx';

/** What a table shows of a chain of pages, and how to move in it. */
export interface PageChainView {
  /** Undefined before the first page, and where nothing matches. */
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

/** The pages of a query, begun anew when the query changes; the page before stays in view until the new one is there. */
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
