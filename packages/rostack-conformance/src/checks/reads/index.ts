import type { Check } from '../../check/check.ts';
import { changingChains } from './changing-chains.ts';
import { fieldsKept, fieldsRefusals } from './fields-kept.ts';
import { filterOperators } from './filter/filter-operators.ts';
import { filterRefusals } from './filter/filter-refusals.ts';
import { items } from './items.ts';
import { pageCursors, pageCursorsOfOthers } from './page-cursors.ts';
import { listParameters, pageChains } from './pages.ts';
import { lackingPermission, withoutCredentials } from './permissions.ts';
import { representationSchemas, representations } from './representations.ts';
import { sortOrders, sortRefusals } from './sort-orders.ts';

/** The checks of lists and items, in the order in which they run. */
export const readsChecks: readonly Check[] = [
  pageChains,
  listParameters,
  items,
  representations,
  representationSchemas,
  filterOperators,
  filterRefusals,
  sortOrders,
  sortRefusals,
  fieldsKept,
  fieldsRefusals,
  pageCursors,
  pageCursorsOfOthers,
  withoutCredentials,
  lackingPermission,
  changingChains,
];
