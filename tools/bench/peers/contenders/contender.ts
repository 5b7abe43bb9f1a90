/** A server under test, started and ready, with the clients that its makers publish. */
export interface Contender extends AsyncDisposable {
  /** Of its first process. */
  readonly pid: number;
  /** The file of its followers, and what each of them is told. */
  readonly followers: { readonly file: string; readonly plan: object };
}
