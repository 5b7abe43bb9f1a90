import type { Collection } from 'rostack-core';
import type { ApiRequest } from './json-api.ts';

/** Asks for the page of a cursor. */
export type AskForPage = (cursor: string, request: ApiRequest) => Promise<Collection>;

/** A page that has been asked for. */
interface ComingPage {
  readonly cursor: string;
  /** Cursor of the next page, once the beginning of this one has come and named it. */
  next: string | undefined;
  readonly collection: Promise<Collection>;
}

const MAX_BEGINNING_BYTES = 8_192;
/** The beginning of a page that names the next cursor before its records. */
const NEXT_CURSOR = /^\{"page":\{"next_cursor":"([^"\\]+)"/;

/**
 * The later pages of one chain. If the beginning of a page names the next one, that is asked for while the first is still coming: at most
 * one page ahead of the one that is due. If it fails, the error is thrown when it is due.
 */
export class ComingPages {
  readonly #ask: AskForPage;
  readonly #readsAhead: () => boolean;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  #due: ComingPage | undefined;
  #ahead: ComingPage | undefined;

  /** @param readsAhead whether the page after the one that is due will be needed */
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
    const onBeginning = async (bytes: Uint8Array): Promise<void> => {
      const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_BEGINNING_BYTES));
      page.next = NEXT_CURSOR.exec(beginning)?.[1];
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
 * Waits until requests that were made just now are on their way. On a connection that was idle, Node only writes one in the next turn of
 * the event loop, which would be after the current page is parsed and processed. Platforms without such turns send requests at once.
 */
async function letRequestsLeave(): Promise<void> {
  const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };
  if (setImmediate === undefined) return;
  // The request is made in the first turn, and written at the end of it.
  for (let turns = 0; turns < 2; turns += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}
