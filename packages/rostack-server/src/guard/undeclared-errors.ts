/**
 * One sentence for each error that an operation may answer with and that discovery does not declare for it.
 * @param needed errors that may be sent, by operation
 */
export function undeclaredErrors<Operation extends string, ErrorName extends string>(
  transport: 'http' | 'websocket',
  needed: Readonly<Record<Operation, readonly ErrorName[]>>,
  isDeclared: (operation: Operation, error: ErrorName) => boolean,
): string[] {
  return (Object.keys(needed) as Operation[]).flatMap((operation) =>
    needed[operation]
      .filter((error) => !isDeclared(operation, error))
      .map((error) => `errors.${transport} must declare ${error} for ${operation}.`),
  );
}
