/** An error that says what it is by a literal `code`. */
export interface CodedError extends Error {
  readonly code: string;
}

/**
 * Whether an error is one of these, by its `code`: an application may have two copies of this package, and `instanceof` knows the classes of
 * one alone. The type parameter names the class that has the codes.
 */
export function hasCode<E extends CodedError = CodedError>(
  error: unknown,
  ...codes: readonly E['code'][]
): error is E {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return codes.includes(code as E['code']);
}
