import type { AnyDiscoveryDocument } from 'rostack-core';
import type { Authenticator } from './authenticator.ts';

/** Discovery and the authenticators must name the same methods, so that every listed method works, and every working one is listed. */
export function authenticatorFaults({
  implementation,
  authenticators,
}: {
  readonly implementation: { readonly discovery: AnyDiscoveryDocument };
  readonly authenticators: readonly Authenticator[];
}): string[] {
  const listed = new Set<string>(implementation.discovery.authentication.methods.map(({ type }) => type));
  const given = new Set<string>(authenticators.map(({ method }) => method));
  return [
    ...[...listed]
      .filter((method) => !given.has(method))
      .map((method) => `Pass an authenticator for ${method}.`),
    ...[...given]
      .filter((method) => !listed.has(method))
      .map((method) => `Discovery does not list the method ${method}.`),
  ];
}
