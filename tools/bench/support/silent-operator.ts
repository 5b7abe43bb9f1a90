import type { Operator, Vendor } from 'menu-client';

const never = () => Promise.reject(new Error('not a part of this benchmark'));

/** An operator that is never asked, but for its restaurants where they are given. */
export function silentOperator(vendor: Vendor, restaurants: Operator['restaurants'] = never): Operator {
  return {
    vendor,
    maxConcurrentRequests: 1,
    restaurants,
    meals: never,
    day: never,
    bundleItems: never,
    menuDetail: never,
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
