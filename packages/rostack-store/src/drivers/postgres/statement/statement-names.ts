import { createHash } from 'node:crypto';

/** Every connection keeps what it has prepared, so that texts without end (other limits, other filters) must not all have a name. */
const MAX_NAMES = 500;

/** SQL types of parameters by their JavaScript types; objects are bytes. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'bigint'],
  ['object', 'bytea'],
]);

/**
 * Names of prepared statements. A name is a digest of its statement, so whoever meets it in a session of the server meets this
 * statement, whichever client prepared it there.
 */
export class StatementNames {
  readonly #known = new Map<string, string>();
  readonly #generic = new Map<string, string>();
  #isGivenUp = false;

  /** Undefined: the statement is to be sent without one. */
  nameOf(text: string): string | undefined {
    if (this.#isGivenUp) return undefined;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_NAMES) return undefined;
    const name = `rostack_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    this.#known.set(text, name);
    return name;
  }

  /**
   * The statement with each parameter in a select of its own, so that its plan does not depend on the values: PostgreSQL plans it once
   * for each session and not, where it takes the plan for these values to be a little better, each time, which costs more than to run it.
   */
  generic(text: string, parameters: readonly unknown[]): string {
    const known = this.#generic.get(text);
    if (known !== undefined) return known;
    const generic = text.replaceAll(/\$(\d+)/g, (parameter, number) => {
      const type = TYPES.get(typeof parameters[Number(number) - 1]);
      return type === undefined ? parameter : `(select ${parameter}::${type})`;
    });
    if (this.#generic.size < MAX_NAMES) this.#generic.set(text, generic);
    return generic;
  }

  /** A pooler gives each transaction another session, which knows other names: no statement has one from now on. */
  giveUp(): void {
    this.#isGivenUp = true;
  }
}
