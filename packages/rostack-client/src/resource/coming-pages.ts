import type { Collection } from 'rostack-core';
import type { ApiRequest } from './json-api.ts';

/** Asks for the page of a cursor. */
export type AskForPage = (cursor: string, request: ApiRequest) => Promise<Collection>;

/** A page that has been asked for. */
interface ComingPage {
  readonly cursor: string;
  /** Of the page after it, once the beginning has come and told it. */
  next: string | undefined;
  readonly collection: Promise<Collection>;
}

/** How a page begins that tells the next one before its records. */
const NEXT_CURSOR = /^\{"page":\{"next_cursor":"([^"\\]+)"/;

/**
 * The later pages of one chain. While a page comes whose beginning tells the next one, that is asked for: at most one ahead of the page
 * that is due. What it fails with is told when it is due.
 */
export class ComingPages {
  readonly #ask: AskForPage;
  readonly #readsAhead: () => boolean;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  #due: ComingPage | undefined;
  #ahead: ComingPage | undefined;

  /** @param readsAhead whether the page after the one that is due will be wanted */
  constructor(ask: AskForPage, readsAhead: () => boolean, signal: AbortSignal | undefined) {
    this.#signal = AbortSignal.any([this.#ending.signal, ...(signal ? [signal] : [])]);
    this.#ask = ask;
    this.#readsAhead = readsAhead;
  }

  /** The page of a cursor, which is due now. @throws ClientError */
  take(cursor: string): Promise<Collection> {
    const due = this.#ahead?.cursor === cursor ? this.#ahead : this.#start(cursor);
    this.#due = due;
    this.#ahead = undefined;
    this.#lookAhead();
    return due.collection;
  }

  /** Gives up what has been asked for. */
  close(): void {
    this.#ending.abort();
  }

  #start(cursor: string): ComingPage {
    const onBeginning = async (text: string): Promise<void> => {
      page.next = NEXT_CURSOR.exec(text)?.[1];
      if (this.#lookAhead()) await letRequestsLeave();
    };
    const collection = this.#ask(cursor, { signal: this.#signal, onBeginning });
    const page: ComingPage = { cursor, next: undefined, collection };
    return page;
  }

  /** @returns whether a page was asked for */
  #lookAhead(): boolean {
    const next = this.#due?.next;
    if (next === undefined || this.#ahead !== undefined || !this.#readsAhead()) return false;
    this.#ahead = this.#start(next);
    this.#ahead.collection.catch(() => {});
    return true;
  }
}

/**
 * Waits until requests that were made just now are on their way. Node writes one on a connection that was idle a turn of the event loop
 * later, which would come after the page at hand is parsed and taken in. Where there are no such turns, requests leave by themselves.
 */
async function letRequestsLeave(): Promise<void> {
  const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };
  if (setImmediate === undefined) return;
  // The request is made in the first turn, and written at the end of it.
  for (let turns = 0; turns < 2; turns += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}
