import type { JsonObject } from 'rostack-core';
import { randomFilter } from '../data/random-filter.ts';
import { RESOURCES } from '../data/soak-config.ts';
import type { Random } from '../random/random.ts';

/** What one follow asks for. */
export interface FollowSpec {
  readonly name: string;
  readonly resource: string;
  readonly filter: JsonObject | undefined;
}

/** Follows with random filters; a few have none, and a few share theirs. */
export function drawFollows(random: Random, count: number): readonly FollowSpec[] {
  const specs: FollowSpec[] = [];
  for (let number = 1; number <= count; number += 1) {
    const shared = specs.length > 0 && random.chance(0.1) ? random.pick(specs).filter : undefined;
    specs.push({
      name: `follow ${number}`,
      resource: random.chance(0.7) ? RESOURCES[0] : RESOURCES[1],
      filter: random.chance(0.08) ? undefined : (shared ?? randomFilter(random)),
    });
  }
  return specs;
}
