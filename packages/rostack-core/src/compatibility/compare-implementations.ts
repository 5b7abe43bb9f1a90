import { formatPointer } from '../query/pointer/format-pointer.ts';
import { difference } from '../schema/graph/schema-facts.ts';
import type { AnyDiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import type { BreakingChange } from './breaking-change.ts';
import { compareResources, type DescribedImplementation } from './compare-resources.ts';

/** What a new version of an implementation means for its clients. */
export interface CompatibilityReport {
  /** Everything that can break a client, in the order of the older document. */
  readonly breakingChanges: readonly BreakingChange[];
  /** Whether there is a breaking change, so that the API version had to change. */
  readonly needsNewApiVersion: boolean;
  /** Whether it did change. */
  readonly hasNewApiVersion: boolean;
  /** False when it had to change and did not. */
  readonly isCompatible: boolean;
}

/**
 * Finds every breaking change between two versions of an implementation: what was removed (resource, representation, event,
 * field, operator, filterable or sortable field, authentication method, permission), what has another type or fewer values,
 * what means something else, and what needs one more permission. Additions are not breaking changes.
 * @see protocol section 2 (removing is breaking) and section 9
 */
export function compareImplementations(
  before: DescribedImplementation,
  after: DescribedImplementation,
): CompatibilityReport {
  const breakingChanges = [
    ...compareAuthentication(before.discovery, after.discovery),
    ...compareOperators(before.discovery, after.discovery),
    ...compareResources(before, after),
  ];
  const needsNewApiVersion = breakingChanges.length > 0;
  const hasNewApiVersion =
    before.discovery.implementation.api_version !== after.discovery.implementation.api_version;
  return {
    breakingChanges,
    needsNewApiVersion,
    hasNewApiVersion,
    isCompatible: !needsNewApiVersion || hasNewApiVersion,
  };
}

function compareAuthentication(before: AnyDiscoveryDocument, after: AnyDiscoveryDocument): BreakingChange[] {
  const methods = new Set(after.authentication.methods.map(({ type }) => type));
  const lostMethods = difference(new Set(before.authentication.methods.map(({ type }) => type)), methods);
  const permissions = new Set(Object.keys(after.authentication.permissions));
  return [
    ...Array.from(
      lostMethods,
      (type): BreakingChange => ({
        kind: 'authentication_method_removed',
        path: formatPointer(['authentication', 'methods', type]),
        reason: 'was a method of authentication',
      }),
    ),
    ...Object.keys(before.authentication.permissions)
      .filter((name) => !permissions.has(name))
      .map(
        (name): BreakingChange => ({
          kind: 'permission_removed',
          path: formatPointer(['authentication', 'permissions', name]),
          reason: 'was a permission',
        }),
      ),
  ];
}

function compareOperators(before: AnyDiscoveryDocument, after: AnyDiscoveryDocument): BreakingChange[] {
  return before.capabilities.filter_operators
    .filter((operator) => !after.capabilities.filter_operators.includes(operator))
    .map((operator) => ({
      kind: 'filter_operator_removed',
      path: formatPointer(['capabilities', 'filter_operators', operator]),
      reason: 'was an operator of filters',
    }));
}
