import { KitError } from '../base/kit-error.ts';
import type { Exchange } from '../probe/http/exchange.ts';

/** What a check says about one requirement. */
export type Finding =
  | { readonly kind: 'pass'; readonly id: string }
  | { readonly kind: 'skip'; readonly id: string; readonly reason: string }
  | { readonly kind: 'note'; readonly id: string; readonly text: string }
  | ({ readonly kind: 'fail'; readonly id: string } & Failure);

/** Why a requirement is broken. */
export interface Failure {
  /** What the requirement demands here: a sentence. */
  readonly expected: string;
  /** What was seen instead: a sentence. */
  readonly got: string;
  /** The request and its answer, without credentials. */
  readonly exchange?: Exchange | undefined;
}

/** How many failures of one requirement are kept per check: the first few are enough. */
const MAX_FAILURES = 5;

/**
 * What a check has found, by requirement. A requirement passes if at least one check has judged it and none has failed it. A failed SHOULD
 * is a warning, a failed MAY a note.
 */
export class Findings {
  readonly #requirements: ReadonlySet<string>;
  readonly #found: Finding[] = [];
  readonly #failures = new Map<string, number>();

  /** @param requirements the ids that may be judged */
  constructor(requirements: readonly string[]) {
    this.#requirements = new Set(requirements);
  }

  /** All findings in the order in which they were made. */
  get all(): readonly Finding[] {
    return this.#found;
  }

  /** The requirement was checked and is kept. */
  pass(id: string): void {
    this.#add({ kind: 'pass', id });
  }

  /** The requirement is broken. */
  fail(id: string, failure: Failure): void {
    const count = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, count);
    if (count <= MAX_FAILURES) this.#add({ kind: 'fail', id, ...failure });
  }

  /** Passes or fails. */
  judge(id: string, isKept: boolean, failure: () => Failure): void {
    if (isKept) this.pass(id);
    else this.fail(id, failure());
  }

  /** Something that readers should know and that is neither a pass nor a failure. */
  note(id: string, text: string): void {
    this.#add({ kind: 'note', id, text });
  }

  /** The requirement could not be checked. */
  skip(id: string, reason: string): void {
    this.#add({ kind: 'skip', id, reason });
  }

  #add(finding: Finding): void {
    if (!this.#requirements.has(finding.id)) {
      throw new KitError(
        'undeclared_requirement',
        `the check does not name ${finding.id} among its requirements`,
      );
    }
    this.#found.push(finding);
  }
}
