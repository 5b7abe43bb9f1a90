/** An error with a literal `name`, `code` and `retryable`, as `defineError` makes its class. */
export interface DefinedError<Name extends string, Code extends string, Retryable extends boolean>
  extends Error {
  readonly name: Name;
  /** Identifies the error across packages; see `hasCode`. */
  readonly code: Code;
  /** Whether the same call may succeed later. */
  readonly retryable: Retryable;
}

/** The class of errors with one code. */
export type ErrorClass<
  Name extends string,
  Code extends string,
  Retryable extends boolean,
  Base extends Error = Error,
> = new (message?: string, options?: ErrorOptions) => Base & DefinedError<Name, Code, Retryable>;

/** By the name of its class, the code of each error and whether the same call may succeed later. */
export type ErrorTable = Readonly<Record<string, { readonly code: string; readonly retryable: boolean }>>;

/** The classes of a table, by their names. */
export type ErrorClasses<Table extends ErrorTable, Base extends Error = Error> = {
  readonly [Name in keyof Table & string]: ErrorClass<
    Name,
    Table[Name]['code'],
    Table[Name]['retryable'],
    Base
  >;
};

/**
 * The class to extend for an error with one code: `class UsageError extends defineError('UsageError', 'usage', false) {}`.
 * @param name of the class, which minified code does not keep
 * @param retryable whether the same call may succeed later
 * @param base what the errors are instances of as well @default Error
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineError<
  const Name extends string,
  const Code extends string,
  const Retryable extends boolean,
  Base extends Error = Error,
>(
  name: Name,
  code: Code,
  retryable: Retryable,
  base?: abstract new (message?: string, options?: ErrorOptions) => Base,
): ErrorClass<Name, Code, Retryable, Base> {
  class Defined extends ((base ?? Error) as ErrorConstructor) {
    override readonly name = name;
    readonly code = code;
    readonly retryable = retryable;
  }
  return Defined as unknown as ErrorClass<Name, Code, Retryable, Base>;
}

/**
 * The classes to extend for all errors of a package, from one table: `class UsageError extends errors.UsageError {}`.
 * @param base what the errors are instances of as well @default Error
 */
export function defineErrors<const Table extends ErrorTable, Base extends Error = Error>(
  table: Table,
  base?: abstract new (message?: string, options?: ErrorOptions) => Base,
): ErrorClasses<Table, Base> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { code, retryable }]) => [
      name,
      defineError(name, code, retryable, base),
    ]),
  ) as unknown as ErrorClasses<Table, Base>;
}
