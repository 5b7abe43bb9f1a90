import { createHash } from 'node:crypto';

/**
 * Names of prepared statements. A name is a digest of its statement, so whoever meets it in a session of the server meets this
 * statement, whichever client prepared it there.
 */
export class StatementNames {
  readonly #known = new Map<string, string>();
  #isGivenUp = false;

  /** Undefined: the statement is to be sent without one. */
  nameOf(text: string): string | undefined {
    if (this.#isGivenUp) return undefined;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const name = `rostack_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    this.#known.set(text, name);
    return name;
  }

  /** A pooler gives each transaction another session, which knows other names: no statement has one from now on. */
  giveUp(): void {
    this.#isGivenUp = true;
  }
}
