/** An error with a literal `code` that identifies it. */
export interface CodedError extends Error {
  readonly code: string;
}

/**
 * Whether an error has one of these codes. Unlike `instanceof`, this works even if an application has two copies of this package. The type
 * parameter names the class that has the codes.
 */
export function hasCode<E extends CodedError = CodedError>(
  error: unknown,
  ...codes: readonly E['code'][]
): error is E {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return codes.includes(code as E['code']);
}
