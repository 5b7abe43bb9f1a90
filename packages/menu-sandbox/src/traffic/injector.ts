import type { Vendor } from '../catalogue/restaurant.ts';
import { createRandom } from '../seeded/random.ts';
import type { FaultRule } from './fault-rule.ts';

/** Decides which faults a request gets; the same seed and requests give the same faults. */
export interface Injector {
  /** Rules that apply to this request, in their order; each use counts towards the rule's `count`. */
  draw(operator: Vendor, path: string, applies: (rule: FaultRule) => boolean): readonly FaultRule[];
  /** Replaces the current rules. */
  replace(rules: readonly FaultRule[]): void;
}

interface RuleState {
  readonly rule: FaultRule;
  matched: number;
  hits: number;
}

export function createInjector(seed: string, rules: readonly FaultRule[]): Injector {
  const begin = (all: readonly FaultRule[]): RuleState[] =>
    all.map((rule) => ({ rule, matched: 0, hits: 0 }));
  let states = begin(rules);
  return {
    draw(operator, path, applies) {
      return states
        .filter((state, index) => {
          const { rule } = state;
          if (rule.operator !== undefined && rule.operator !== operator) return false;
          if (rule.path !== undefined && !path.startsWith(rule.path)) return false;
          if (rule.count !== undefined && state.hits >= rule.count) return false;
          if (!applies(rule)) return false;
          state.matched += 1;
          const hit = createRandom(seed, 'fault', index, state.matched).chance(rule.rate ?? 1);
          if (hit) state.hits += 1;
          return hit;
        })
        .map(({ rule }) => rule);
    },
    replace(all) {
      states = begin(all);
    },
  };
}
