import {
  type BreakingChange,
  compareImplementations,
  type DescribedImplementation,
  defineError,
  parseTrustedJson,
} from 'rostack-core';
import type { Store } from 'rostack-store';
import { errorMessage } from '../../text/error-message.ts';
import { formatBundle, parseBundle } from './load-implementation.ts';

const SHOWN_CHANGES = 10;

/** The same API version was served before, and its clients would break. */
export class BreakingChangeError extends defineError('BreakingChangeError', 'breaking_change', false) {
  /** What would break, in the order of the document that was served before. */
  readonly changes: readonly BreakingChange[];

  constructor(apiVersion: string, changes: readonly BreakingChange[]) {
    const shown = changes.slice(0, SHOWN_CHANGES).map(describeChange);
    const more = changes.length > shown.length ? [`  and ${changes.length - shown.length} more`] : [];
    super(
      [
        `API version ${JSON.stringify(apiVersion)} was served with more than this configuration offers:`,
        ...shown.map((line) => `  ${line}`),
        ...more,
        'Write another identity.api_version, or compatibility.allow_breaking: true to break its clients.',
      ].join('\n'),
    );
    this.changes = changes;
  }
}

export interface ServedDocumentOptions {
  /** Whether to continue in spite of breaking changes. */
  readonly allowBreaking: boolean;
  /** Called with a line for each problem that is ignored. */
  readonly log: (line: string) => void;
}

/**
 * Compares the implementation with what any gateway over the store last served under the same id and API version, and saves it for the next
 * time.
 * @throws BreakingChangeError `breaking_change`; nothing is saved then
 */
export async function checkServedDocument(
  store: Pick<Store, 'updateNote'>,
  implementation: DescribedImplementation,
  { allowBreaking, log }: ServedDocumentOptions,
): Promise<void> {
  const { id, api_version: apiVersion } = implementation.discovery.implementation;
  const document = formatBundle(implementation);
  await store.updateNote(`served:${JSON.stringify([id, apiVersion])}`, (present) => {
    // The usual case at a start: comparing a hundred resources with themselves takes a tenth of a second.
    if (present === document) return document;
    const before = present === undefined ? undefined : readBefore(present, log);
    const { breakingChanges } =
      before === undefined ? { breakingChanges: [] } : compareImplementations(before, implementation);
    if (breakingChanges.length > 0) {
      if (!allowBreaking) throw new BreakingChangeError(apiVersion, breakingChanges);
      log(`serves API version ${apiVersion} with ${breakingChanges.length} breaking changes, as allowed`);
    }
    return document;
  });
}

/** One line, for people. */
export function describeChange({ kind, path, reason }: BreakingChange): string {
  return `${path}: ${kind.replaceAll('_', ' ')} (${reason})`;
}

/** Undefined if this release cannot read the document: that is no reason not to start. */
function readBefore(text: string, log: (line: string) => void): DescribedImplementation | undefined {
  try {
    return parseBundle(parseTrustedJson(text));
  } catch (error) {
    log(`the document served before cannot be compared: ${errorMessage(error)}`);
    return undefined;
  }
}
