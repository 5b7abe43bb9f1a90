import { type Collations, NO_COLLATIONS } from '../../query/collation/collation.ts';
import { collateFilter } from '../../query/filter/check-filter.ts';
import { conjunctionOf, type Filter, hashFilter } from '../../query/filter/filter.ts';
import { FilterError } from '../../query/filter/filter-error.ts';
import type { FilterOperator } from '../../query/filter/operator-names.ts';
import { parseFilter } from '../../query/filter/parse-filter.ts';
import { defineError } from '../../text/define-error.ts';
import type { JsonObject } from '../../text/json.ts';
import { ignoreRejection } from '../../text/options/option-check.ts';
import type { Principal } from '../permission/permission.ts';

/**
 * The rows of a resource that a principal may see: all, none, or those that match a filter, as JSON or parsed. It is called for every
 * request and repeatedly during a session, so it has to be quick. Its answer may change over time.
 */
export type RowRule<PermissionName extends string = string> = (
  principal: Principal<PermissionName>,
) => JsonObject | Filter | 'all' | 'none';

/** A field that a row rule compares. */
export interface RowRuleField {
  /** JSON Pointer of the field. */
  readonly pointer: string;
  /** The operator that the rule compares it with. */
  readonly operator: FilterOperator;
}

/** A row rule that says which fields it compares, so that a store can find rows by them. */
export interface RowRuleWithFields<PermissionName extends string = string> {
  /** Decides for each principal. */
  readonly rule: RowRule<PermissionName>;
  /** Every comparison that the rule may make. */
  readonly fields: readonly RowRuleField[];
}

/** What a rule says for one principal. */
export type Visibility =
  | { readonly kind: 'all'; readonly digest: string }
  | { readonly kind: 'none'; readonly digest: string }
  | {
      readonly kind: 'matching';
      readonly filter: Filter;
      /** Equal if the rule shows the same rows; empty if there is no rule. */
      readonly digest: string;
    };

/** A row rule returned something that is not an answer, so nothing is shown. */
export class RowRuleError extends defineError('RowRuleError', 'row_rule_failed', false) {}

const UNRULED: Visibility = { kind: 'all', digest: '' };
const ALL: Visibility = { kind: 'all', digest: 'all' };
const NONE: Visibility = { kind: 'none', digest: 'none' };

/** By the collations. Only parsed filters are found here again: JSON from a rule is parsed at every call, since it might change. */
const known = new WeakMap<Collations, WeakMap<Filter, Visibility>>();

/**
 * The rows that a principal may see.
 * @param rule undefined: all of them
 * @param collations of the fields; see `fieldCollations`. @default none
 * @throws RowRuleError `row_rule_failed` when the rule returns neither a filter nor `all` nor `none`; and what the rule throws
 */
export function visibilityOf(
  rule: RowRule | undefined,
  principal: Principal,
  collations: Collations = NO_COLLATIONS,
): Visibility {
  if (rule === undefined) return UNRULED;
  const rows = rule(principal);
  if (rows === 'all') return ALL;
  if (rows === 'none') return NONE;
  const given = filterOf(rows);
  const before = known.get(collations)?.get(given);
  if (before !== undefined) return before;
  const filter = asFilter(() => collateFilter(given, collations));
  const visibility: Visibility = { kind: 'matching', filter, digest: hashFilter(filter) };
  const ofCollations = known.get(collations) ?? new WeakMap<Filter, Visibility>();
  known.set(collations, ofCollations.set(given, visibility));
  return visibility;
}

/** A filter for the records that are asked for and visible; undefined for all records. The caller handles the case of `none`. */
export function visibleFilter(
  visibility: Exclude<Visibility, { readonly kind: 'none' }>,
  asked: Filter | undefined,
): Filter | undefined {
  if (visibility.kind === 'all') return asked;
  return asked === undefined ? visibility.filter : conjunctionOf([asked, visibility.filter]);
}

function filterOf(rows: JsonObject | Filter): Filter {
  if (typeof rows !== 'object' || rows === null) throw noAnswer(typeof rows);
  if (isParsed(rows)) return rows;
  ignoreRejection(rows, () => {});
  return asFilter(() => parseFilter(rows));
}

/** @throws RowRuleError `row_rule_failed` when it is not a filter */
function asFilter(read: () => Filter): Filter {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw noAnswer('an object', error);
  }
}

/** No member of a filter in JSON can be called `kind`. */
const isParsed = (rows: JsonObject | Filter): rows is Filter => Object.hasOwn(rows, 'kind');

function noAnswer(given: string, cause?: FilterError): RowRuleError {
  const reason = cause === undefined ? '' : `: ${cause.message}`;
  return new RowRuleError(`A row rule returned ${given}: return a filter, 'all' or 'none'${reason}`, {
    cause,
  });
}
