import type { Filter } from '../query/filter/filter.ts';
import type { PageKey, SortKey } from '../query/sort/sort.ts';
import { defineError } from '../text/define-error.ts';
import { hasCode } from '../text/has-code.ts';
import { type JsonObject, parseTrustedJson } from '../text/json.ts';
import type { Change, EventPosition, Position } from './change.ts';

/** The state of a resource's log. */
export interface Head {
  /** Newest committed position. */
  readonly position: Position;
  /** Oldest position that `read` and `page` still answer for: a reader may be at `floor`, not below it. */
  readonly floor: Position;
  /** Random id of the log's history; positions of two epochs are not comparable. */
  readonly epoch: string;
  /** Tag of the newest position, see `Change.tag`. */
  readonly tag: string;
}

/** The current or past version of one record. */
export interface StoredRecord {
  /** Text of the record's id, see `recordIdText`. */
  readonly id: string;
  /** Opaque name of this revision; the item's ETag and the event's `resource_version`. */
  readonly version: string;
  /** Position of the change that wrote this version. */
  readonly position: Position;
  /** The record as JSON text, exactly as stored. */
  readonly body: string;
}

/** One page of the state as of a position. */
export interface PageQuery {
  /**
   * The position whose state is read, from the floor to the head.
   * @default the newest; `Page.head` says which that was
   */
  readonly at?: Position | undefined;
  /** The tag that `at` has to have in the log, compared in the snapshot that the rows come from. @default not compared */
  readonly tag?: string | undefined;
  /**
   * What the records have to match.
   * @default every record
   */
  readonly filter?: Filter | undefined;
  /** Ties are broken by the text of the id, ascending by code point. If empty, by that alone. */
  readonly sort: readonly SortKey[];
  /** Rows strictly after this key. */
  readonly after?: PageKey | undefined;
  /** The most records, at least 1. A page may have fewer where they are large, and says what is next. */
  readonly limit: number;
}

/** One page of records, all as of one position. */
export interface Page {
  /** Where the log was in the snapshot that the records come from. */
  readonly head: Head;
  /** The bodies of the page's records in order, with a comma between two: UTF-8. */
  readonly bodies: Uint8Array;
  /** Key of the last record when there are more, else undefined. */
  readonly next: PageKey | undefined;
}

/** Changes that a source has committed itself, as `read` returns them. */
export interface CommittedChanges {
  /** Epoch of the log that they are in. */
  readonly epoch: string;
  /** Tag of the position before the first of them. */
  readonly tagBefore: string;
  /** Ascending and dense, at least one. */
  readonly changes: readonly Change[];
}

/** What an adapter needs of a durable store to serve one resource. `rostack-core/testing` has checks for it. */
export interface RecordSource {
  /**
   * Newest committed position, floor and epoch.
   * @throws SourceUnavailableError when the store cannot be reached
   */
  head(): Promise<Head>;
  /**
   * Rows as of `query.at`; no transaction stays open between pages.
   * @throws PositionExpiredError when `query.at` is below the floor or beyond the head, or has another tag
   * @throws SourceUnavailableError when the store cannot be reached or takes too long
   */
  page(query: PageQuery): Promise<Page>;
  /**
   * The current version by the text of the id; 'gone' for a record deleted within the log's retention; undefined when there is none.
   * @param visible what the record has to match, or the last version of one that is gone. Any other record is treated as if it did not
   *   exist, and the answer takes the same time. @default every record
   * @throws SourceUnavailableError when the store cannot be reached
   */
  get(id: string, visible?: Filter): Promise<StoredRecord | 'gone' | undefined>;
  /**
   * The tag of a position, see `Change.tag`; undefined below the floor and beyond the head.
   * @throws SourceUnavailableError when the store cannot be reached
   */
  tagAt(position: Position): Promise<string | undefined>;
  /**
   * Changes after a position, ascending and dense, at most `limit`; fewer where they are large, but none only at the head.
   * @param tag the tag that `after` has to have in the log, compared in the snapshot that the changes come from
   * @default not compared
   * @throws PositionExpiredError when `after` is below the floor, or has another tag
   * @throws SourceUnavailableError when the store cannot be reached
   */
  read(after: Position, limit: number, tag?: string): Promise<readonly Change[]>;
  /**
   * For a source that can lag behind the log that positions come from, such as a replica: waits until the source has reached a place.
   * Also resolves for a place that will never come, which the other methods refuse. For a position that has not come yet, the other
   * methods of such a source throw `SourceUnavailableError` instead of refusing it.
   * @default the source is never behind
   * @throws SourceUnavailableError when the place has not come in time: it may come later
   */
  waitForPosition?(place: EventPosition): Promise<void>;
  /**
   * Calls back when the head may have moved: a hint that may be lost, doubled or late. A source that has moved it itself may hand over what
   * it committed; whoever is at the place before that need not read it. Returns a function that stops it.
   */
  watch(onMoved: (committed?: CommittedChanges) => void): () => void;
}

/**
 * The log no longer reaches back to the position, or the position is of another history: the reader needs a new
 * snapshot.
 */
export class PositionExpiredError extends defineError('PositionExpiredError', 'position_expired', false) {}

/** A position is missing from the log: its history can no longer be trusted. */
export class LogHoleError extends PositionExpiredError {
  /** Name of the resource. */
  readonly resource: string;
  /** The first position that is missing. */
  readonly position: Position;

  constructor(resource: string, position: Position) {
    super(`the log of ${resource} has a hole at position ${position}: take a new snapshot`);
    this.resource = resource;
    this.position = position;
  }
}

/** The store cannot answer now: unreachable, overloaded, or over its time limit. */
export class SourceUnavailableError extends defineError(
  'SourceUnavailableError',
  'source_unavailable',
  true,
) {}

/** Whether an error says that a source no longer has a position. By its code, since a store may have its own copy of this package. */
export const isPositionExpired = (error: unknown): error is PositionExpiredError =>
  hasCode<PositionExpiredError>(error, 'position_expired');

/** Whether an error says that a source has a hole in its log: a `PositionExpiredError` that says where. */
export const isLogHole = (error: unknown): error is LogHoleError =>
  isPositionExpired(error) && 'position' in error && 'resource' in error;

/** Whether an error says that a source cannot answer now. */
export const isSourceUnavailable = (error: unknown): error is SourceUnavailableError =>
  hasCode<SourceUnavailableError>(error, 'source_unavailable');

// Every platform has these coders. They are declared here because this package has no platform's types.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array };
declare const TextDecoder: new () => { readonly decode: (bytes: Uint8Array) => string };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The `bodies` of a page, from the JSON text of each of its records. */
export function joinBodies(texts: readonly string[]): Uint8Array {
  return encoder.encode(texts.join(','));
}

/** The records in the `bodies` of a page. */
export function parseBodies(bodies: Uint8Array): JsonObject[] {
  return parseTrustedJson(`[${decoder.decode(bodies)}]`) as JsonObject[];
}
