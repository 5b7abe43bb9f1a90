/** One thing that is wrong with a value from outside. */
export interface Fault {
  /**
   * `schema` for the JSON Schema of the release; `json`, `unique_members` and `exact_numbers` for the text; otherwise
   * the name of a check beyond the schema.
   */
  readonly check: string;
  /** JSON Pointer of the wrong place; empty for the whole value. */
  readonly path: string;
  /** A sentence fragment that follows the path: what is wrong and what is expected. */
  readonly message: string;
}

const MAX_SHOWN = 10;

/** A value from outside is invalid; `faults` lists everything that is wrong with it. */
export abstract class FaultsError extends Error {
  abstract readonly code: string;
  readonly retryable = false;
  /** At least one. */
  readonly faults: readonly Fault[];

  /** @param what starts the message, such as "not a discovery document" */
  constructor(what: string, faults: readonly Fault[], options?: ErrorOptions) {
    super(`${what}: ${summarize(faults)}`, options);
    this.faults = faults;
  }
}

/** The class of errors with one code. */
export type FaultsErrorClass<Name extends string, Code extends string> = new (
  faults: readonly Fault[],
) => FaultsError & { readonly name: Name; readonly code: Code };

/**
 * The class to extend for a value from outside that is invalid, as `defineError` makes others.
 * @param what starts the message, such as "not a discovery document"
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineFaultsError<const Name extends string, const Code extends string>(
  name: Name,
  code: Code,
  what: string,
): FaultsErrorClass<Name, Code> {
  return class extends FaultsError {
    override readonly name = name;
    readonly code = code;

    constructor(faults: readonly Fault[]) {
      super(what, faults);
    }
  };
}

/** `path: message; path: message`, at most ten of them. */
function summarize(faults: readonly Fault[]): string {
  const shown = faults
    .slice(0, MAX_SHOWN)
    .map(({ path, message }) => `${path === '' ? '(root)' : path}: ${message}`)
    .join('; ');
  const rest = faults.length - MAX_SHOWN;
  return rest > 0 ? `${shown}; and ${rest} more` : shown;
}
