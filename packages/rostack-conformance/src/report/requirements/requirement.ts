/** One thing that the protocol requires, as written in the files in `requirements/`. */
export interface Requirement {
  /** Stable and dotted, such as `json.page.chain`. */
  readonly id: string;
  /** How strict it is: breaking a should is a warning, breaking a may is a note. */
  readonly level: 'must' | 'should' | 'may';
  /** Who has to keep it. */
  readonly party: 'server' | 'client' | 'both';
  /** The protocol is silent here, and this is what rostack-gateway decided: others may decide otherwise. */
  readonly silent?: true | undefined;
  /** Its place: the section of the protocol and the topic in it. */
  readonly section: string;
  /** What is required, in sentences that can be read without the others. */
  readonly text: string;
  /** The checks that judge it; empty only with `unchecked`. */
  readonly checks: readonly string[];
  /** Why it cannot be seen from outside. */
  readonly unchecked?: string | undefined;
}
