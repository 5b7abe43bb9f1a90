import type { UnknownValue } from './operator.ts';

const SOLD_OUT = /^(?:y|yes|1|true|품절|매진|sold[ _-]?out)$/i;
const ON_SALE = /^(?:n|no|0|false|판매|판매중|on[ _-]?sale)?$/i;

/** What a row says about being sold out; `unknown` has the values that say something that nobody has seen yet. */
export interface SoldOutSign {
  readonly soldOut: boolean;
  readonly unknown: readonly UnknownValue[];
}

const NOTHING_UNKNOWN: readonly UnknownValue[] = [];

/** Reads members that mark what is sold out: null says nothing, and one that says so is enough. */
export function soldOutSign(members: Readonly<Record<string, unknown>>): SoldOutSign {
  let soldOut = false;
  let unknown = NOTHING_UNKNOWN;
  for (const member in members) {
    const value = members[member];
    if (value === null || value === undefined) continue;
    const written = typeof value === 'string' ? value.trim() : JSON.stringify(value);
    if (typeof value === 'string' && SOLD_OUT.test(written)) soldOut = true;
    else if (typeof value !== 'string' || !ON_SALE.test(written))
      unknown = [...unknown, { member, value: written.slice(0, 40).toWellFormed() }];
  }
  return { soldOut, unknown };
}
