export { filterTransition } from './filter-transition.ts';
export {
  type NormalizedSubscription,
  normalizeSubscription,
  subscriptionsEqual,
} from './normalized-subscription.ts';
