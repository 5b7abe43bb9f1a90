/**
 * Checks the value of an option. Returns a sentence that names the option, the value and what to use instead, or
 * undefined if the value is valid.
 */
export type OptionCheck = (value: unknown, name: string) => string | undefined;

/** One check for each option, so that none is forgotten. */
export type OptionChecks<T> = { readonly [Name in keyof Required<T>]: OptionCheck };

/** An option that has a default: how its value is checked, and what it is where it is left out. */
export interface Option<T> {
  readonly check: OptionCheck;
  readonly defaultValue: T;
}

/** Declares an option with its check and its default; its docstring says what it is for. */
export const option = <T>(check: OptionCheck, defaultValue: T): Option<T> => ({ check, defaultValue });

/** The options that a table declares, each with a value. */
export type OptionValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer T> ? T : never;
};

/** The same as a caller gives them: those that are left out or undefined have their defaults. */
export type GivenOptions<Table> = {
  readonly [Name in keyof Table]?: (Table[Name] extends Option<infer T> ? T : never) | undefined;
};

type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** The checks of a table: what is left out or undefined means the default. */
export function checksOf<Table extends OptionTable>(table: Table): OptionChecks<OptionValues<Table>> {
  return mapTable(table, ({ check }) => optional(check)) as OptionChecks<OptionValues<Table>>;
}

/** The values in force: those that are given, and the defaults of the others. */
export function withDefaults<Table extends OptionTable>(
  table: Table,
  given: GivenOptions<Table> = {},
): OptionValues<Table> {
  const values: Readonly<Record<string, unknown>> = given;
  return mapTable(table, ({ defaultValue }, name) => values[name] ?? defaultValue) as OptionValues<Table>;
}

function mapTable(
  table: OptionTable,
  map: (option: Option<unknown>, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(table).map(([name, each]) => [name, map(each, name)]));
}

const MAX_SHOWN = 60;

/** Accepts what `fits` accepts; for anything else, says what to use. */
export function expecting(expected: string, fits: (value: unknown) => boolean): OptionCheck {
  return (value, name) => (fits(value) ? undefined : `${name} is ${show(value)}: use ${expected}`);
}

/** Also accepts undefined, which means the default. */
export const optional =
  (check: OptionCheck): OptionCheck =>
  (value, name) =>
    value === undefined ? undefined : check(value, name);

/** Accepts an object with these options only: any other name is a mistake. */
export function optionsOf<T extends object>(checks: OptionChecks<T>): OptionCheck {
  const known = Object.entries<OptionCheck>(checks);
  return (value, name) => {
    if (!isObject(value) || Array.isArray(value)) return `${name} is ${show(value)}: use an object`;
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(checks, key));
    if (unknown !== undefined) {
      return `${name} has no member ${JSON.stringify(unknown)}: use ${known.map(([key]) => key).join(', ')}`;
    }
    for (const [key, check] of known) {
      const fault = check((value as Readonly<Record<string, unknown>>)[key], `${name}.${key}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** Accepts an array whose items all pass. */
export const listOf =
  (check: OptionCheck): OptionCheck =>
  (value, name) => {
    if (!Array.isArray(value)) return `${name} is ${show(value)}: use an array`;
    for (const [index, item] of value.entries()) {
      const fault = check(item, `${name}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };

/** A safe integer within bounds, both included. */
export function anInteger(min: number, max: number = Number.MAX_SAFE_INTEGER): OptionCheck {
  const expected =
    max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`;
  return expecting(
    expected,
    (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

/** Accepts these strings only. */
export const oneOf = (...values: readonly string[]): OptionCheck =>
  expecting(values.map((value) => JSON.stringify(value)).join(' or '), (value) =>
    values.includes(value as string),
  );

/** Accepts a string of at least one character. */
export const aString: OptionCheck = expecting(
  'a string of at least one character',
  (value) => typeof value === 'string' && value !== '',
);

/** Accepts true and false, and no other value that counts as one of them. */
export const aBoolean: OptionCheck = expecting('true or false', (value) => typeof value === 'boolean');

/** Accepts any function; its parameters and result cannot be checked before it is called. */
export const aFunction: OptionCheck = expecting('a function', (value) => typeof value === 'function');

/** Accepts any object but an array and null, and leaves its members unchecked. See `optionsOf` to check them. */
export const anObject: OptionCheck = expecting(
  'an object',
  (value) => isObject(value) && !Array.isArray(value),
);

/** An object of any class that has these methods. */
export const objectWith = (...methods: readonly string[]): OptionCheck =>
  expecting(
    `an object with the ${methods.length === 1 ? 'method' : 'methods'} ${methods.join(', ')}`,
    (value) => hasMethods(value, methods),
  );

/** Accepts an `AbortSignal`, of any platform: an object with its methods. */
export const aSignal: OptionCheck = expecting('an AbortSignal', (value) =>
  hasMethods(value, ['addEventListener', 'removeEventListener', 'throwIfAborted']),
);

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  return (
    isObject(value) &&
    methods.every((method) => typeof (value as Readonly<Record<string, unknown>>)[method] === 'function')
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Short, and without the contents of objects, which may be secret. */
function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}...` : value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'an array' : 'an object';
    case 'function':
      return 'a function';
    case 'bigint':
      return `the bigint ${value}`;
    default:
      return String(value);
  }
}

/**
 * Wraps an observer so that its errors and rejections go to `onFailure` and stop nothing else.
 * @param onFailure must not throw
 */
export function guardObserver<A extends readonly unknown[]>(
  observer: (...told: A) => unknown,
  onFailure: (error: unknown) => void,
): (...told: A) => void {
  return (...told) => {
    try {
      ignoreRejection(observer(...told), onFailure);
    } catch (error) {
      onFailure(error);
    }
  };
}

/**
 * Wraps a function that has to answer: where it throws or its answer is not accepted, `instead` answers.
 * @param name of the function, for the error that says what it returned and what to return
 * @param onFailure gets what is wrong; must not throw
 */
export function withSubstitute<A extends readonly unknown[], T>(
  name: string,
  call: (...args: A) => T,
  check: OptionCheck,
  instead: (...args: A) => T,
  onFailure: (error: unknown) => void,
): (...args: A) => T {
  return (...args) => {
    try {
      const value = call(...args);
      const fault = check(value, `what ${name} returned`);
      if (fault === undefined) return value;
      ignoreRejection(value, onFailure);
      onFailure(new TypeError(fault));
    } catch (error) {
      onFailure(error);
    }
    return instead(...args);
  };
}

/** If a callback returned a promise, sends its rejection to `onFailure`: unhandled, it would end the process. */
export function ignoreRejection(value: unknown, onFailure: (error: unknown) => void): void {
  if (isThenable(value)) value.then(undefined, onFailure);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
