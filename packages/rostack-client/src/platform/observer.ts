import { guardObserver } from 'rostack-core';

/** An observer of the application's: what it throws or rejects with is shown as a warning of the platform and ends nothing. */
export function observer<A extends readonly unknown[]>(
  name: string,
  callback: ((...told: A) => unknown) | undefined,
): (...told: A) => void {
  if (callback === undefined) return () => {};
  return guardObserver(callback, (error) => warn(`${name} of rostack-client failed`, error));
}

/** Node's warnings, or what a browser shows uncaught errors with; neither ends anything. */
export function warn(message: string, cause: unknown): void {
  const { process: node, reportError } = globalThis as {
    readonly process?: { emitWarning?(warning: Error): void };
    readonly reportError?: (error: unknown) => void;
  };
  const reason = cause instanceof Error ? cause.message : String(cause);
  const warning = new Error(`${message}: ${reason}`, { cause });
  warning.name = 'RostackClientWarning';
  if (node?.emitWarning !== undefined) node.emitWarning(warning);
  else reportError?.(warning);
}
