import { createHash } from 'node:crypto';

/** Every connection keeps what it has prepared, so not every one of countless texts (other limits, other filters) may get a name. */
const MAX_NAMES = 500;

/** SQL types of parameters by their JavaScript types; objects are bytes. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'bigint'],
  ['object', 'bytea'],
]);

/**
 * Names of prepared statements. A name is a digest of its statement, so in any session of the server it belongs to the same statement,
 * whichever client prepared it there.
 */
export class StatementNames {
  readonly #known = new Map<string, string>();
  readonly #generic = new Map<string, string>();
  #isGivenUp = false;

  /** Undefined if the statement has to be sent without a name. */
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
   * The statement with each parameter in a select of its own, so that its plan does not depend on the values: PostgreSQL then plans it once
   * per session. Otherwise it may plan it for every execution, if a plan for the values seems a little better, which costs more than
   * running it.
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

  /** Stops naming statements: a pooler gives each transaction another session, which has other prepared statements. */
  giveUp(): void {
    this.#isGivenUp = true;
  }
}
