import {
  type Change,
  type CommittedChanges,
  compileFilter,
  defineError,
  type Head,
  ignoreRejection,
  type JsonValue,
  type Page,
  type Predicate,
  parseTrustedJson,
  type RecordSource,
  SourceUnavailableError,
  type StoredRecord,
} from 'rostack-core';

/** A record source returned something that its contract does not allow. */
export class SourceContractError extends defineError('SourceContractError', 'source_contract_broken', true) {}

/**
 * The same source, but with a single way to fail: a synchronous error, a result that breaks its contract, and a missing answer all become
 * rejections. Only `watch` throws.
 * @param timeoutMs the longest wait, followed by SourceUnavailableError; a later answer is dropped.
 * @default none
 */
export function guardSource(resource: string, source: RecordSource, timeoutMs?: number): RecordSource {
  const ask = <T>(method: string, call: () => Promise<T>, fits: (value: T) => boolean): Promise<T> =>
    new Promise((resolve, reject) => {
      const asked = Promise.resolve(call());
      const timer = timeoutMs === undefined ? undefined : rejectLater(reject, timeoutMs);
      asked
        .then((value) => {
          if (!fits(value)) throw broken(resource, method);
          clearTimeout(timer);
          resolve(value);
        })
        .catch((error: unknown) => {
          clearTimeout(timer);
          reject(error);
        });
    });
  return {
    head: () => ask('head', () => source.head(), isHead),
    page: (query) => ask('page', () => source.page(query), isPage),
    get: (id, visible) => {
      const matches = visible && compileFilter(visible);
      return ask(
        'get',
        () => source.get(id, visible),
        (found) => isFound(found) && (matches === undefined || isVisible(found, matches)),
      );
    },
    tagAt: (position) => ask('tagAt', () => source.tagAt(position), isTextOrNone),
    ...(source.waitForPosition !== undefined && {
      waitForPosition: (place) =>
        ask(
          'waitForPosition',
          async () => source.waitForPosition?.(place),
          () => true,
        ),
    }),
    read: (after, limit, tag) => ask('read', () => source.read(after, limit, tag), isChanges),
    watch: (onMoved) => {
      const unwatch: unknown = source.watch((committed) =>
        onMoved(isCommitted(committed) ? committed : undefined),
      );
      if (typeof unwatch !== 'function') {
        ignoreRejection(unwatch, () => {});
        throw broken(resource, 'watch');
      }
      return () => {
        try {
          unwatch();
        } catch {
          // Closing continues; the watcher has stopped listening anyway.
        }
      };
    },
  };
}

function rejectLater(reject: (error: SourceUnavailableError) => void, timeoutMs: number): NodeJS.Timeout {
  return setTimeout(() => {
    reject(new SourceUnavailableError(`The record source did not answer within ${timeoutMs} ms.`));
  }, timeoutMs).unref();
}

function broken(resource: string, method: string): SourceContractError {
  return new SourceContractError(
    `The source of ${resource} returned something that RecordSource.${method} must not return.`,
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);
const isPosition = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function isHead(head: Head): boolean {
  return (
    isObject(head) &&
    isPosition(head.position) &&
    isPosition(head.floor) &&
    isText(head.epoch) &&
    isText(head.tag)
  );
}

function isRecord(record: StoredRecord): boolean {
  return isObject(record) && isText(record.id) && isText(record.version) && isText(record.body);
}

function isPage(page: Page): boolean {
  return isObject(page) && isHead(page.head) && page.bodies instanceof Uint8Array;
}

function isFound(found: StoredRecord | 'gone' | undefined): boolean {
  return found === undefined || found === 'gone' || isRecord(found);
}

/** A record that is gone has nothing to check. */
function isVisible(found: StoredRecord | 'gone' | undefined, matches: Predicate): boolean {
  return found === undefined || found === 'gone' || matches(parseTrustedJson(found.body) as JsonValue);
}

/** Anything else that a source passes to the callback is a plain hint. */
function isCommitted(committed: CommittedChanges | undefined): boolean {
  return (
    isObject(committed) &&
    isText(committed.epoch) &&
    isText(committed.tagBefore) &&
    isChanges(committed.changes)
  );
}

function isChanges(changes: readonly Change[]): boolean {
  return Array.isArray(changes) && changes.every(isChange);
}

function isChange(change: Change): boolean {
  return (
    isObject(change) &&
    isPosition(change.position) &&
    isText(change.tag) &&
    isText(change.eventId) &&
    isTextOrNone(change.eventType) &&
    isText(change.id) &&
    isText(change.version) &&
    Number.isFinite(change.occurredAtMs) &&
    isTextOrNone(change.before) &&
    isTextOrNone(change.after)
  );
}
