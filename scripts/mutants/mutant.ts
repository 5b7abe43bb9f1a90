/** A fault that is put into the source on purpose, to see that a test notices it. */
export interface Mutant {
  /** What the product does wrong with it: a clause in the present tense, unique. */
  readonly name: string;
  /** The file that is changed, from the root of the repository. */
  readonly file: string;
  /** The text that is replaced. It occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files, from the root; with the fault in place at least one of their tests fails. */
  readonly tests: readonly [string, ...string[]];
  /** Runs only the tests whose full name matches this pattern: for files that take long. */
  readonly testNamePattern?: string;
}
