import { defineError } from '../../text/define-error.ts';
import { aFunction, anInteger, aString, optional, optionsOf } from '../../text/options/option-check.ts';
import { checkOptions } from '../../text/options/options-error.ts';
import { SeededRandom } from './seeded-random.ts';

/** One requirement of a contract as a test: `test(check.name, check.run)` in any test runner. */
export interface ConformanceCheck {
  /** Unique among the checks of a contract. */
  readonly name: string;
  /** Opens something fresh, tries the requirement on it, and closes it again. @throws ConformanceError `contract_broken` */
  readonly run: () => Promise<void>;
}

/** Options of all conformance checks. */
export interface ConformanceOptions {
  /** An integer that determines all random choices. A failure names it, so that the run can be repeated. @default 1 */
  readonly seed?: number;
}

const REFUSED = 'The check cannot be made';
const conformanceOptions = optionsOf<ConformanceOptions>({
  seed: optional(anInteger(Number.MIN_SAFE_INTEGER)),
});

/** A contract is broken. The message says what was wanted, what was seen, and the seed. */
export class ConformanceError extends defineError('ConformanceError', 'contract_broken', false) {
  /** Name of the check. */
  readonly check: string;
  /** The `seed` option that makes the check fail again. */
  readonly seed: number;

  constructor(check: string, seed: number, sentence: string, options?: { readonly cause: unknown }) {
    super(`${sentence} (check "${check}", seed ${seed})`, options);
    this.check = check;
    this.seed = seed;
  }
}

/**
 * Makes a check from an attempt, which draws from its own random generator.
 * @param attempt calls `want` and the like, which throw if the contract is broken; any other error counts as a failure,
 *   too
 * @throws OptionsError `invalid_options`
 */
export function conformanceCheck(
  name: string,
  options: ConformanceOptions,
  attempt: (random: SeededRandom) => Promise<void>,
): ConformanceCheck {
  checkOptions(aString, name, REFUSED, 'name');
  checkOptions(conformanceOptions, options, REFUSED);
  checkOptions(aFunction, attempt, REFUSED, 'attempt');
  const { seed = 1 } = options;
  return {
    name,
    run: async () => {
      try {
        await attempt(new SeededRandom(seed));
      } catch (cause) {
        const sentence =
          cause instanceof Breach ? cause.message : `No call may fail here. Seen: ${describe(cause)}`;
        throw new ConformanceError(name, seed, sentence, { cause });
      }
    },
  };
}

class Breach extends Error {}

/**
 * Fails the check that is running unless a condition holds. Used by `recordSourceChecks` and the like.
 * @param contract a sentence that says what is wanted; ends in a full stop
 * @param seen what was seen instead, for the message
 */
export function want(isSo: boolean, contract: string, seen: unknown): asserts isSo {
  if (!isSo) throw new Breach(`${contract} Seen: ${describe(seen)}`);
}

/** Wants plain data to be equal; a member that is undefined is as if it were missing. */
export function wantEqual(seen: unknown, wanted: unknown, contract: string): void {
  if (!equals(seen, wanted)) {
    throw new Breach(`${contract} Wanted: ${describe(wanted)}. Seen: ${describe(seen)}`);
  }
}

/** Wants a rejection with an error of this code, or with any. */
export async function wantRejection(
  call: () => Promise<unknown>,
  code: string | undefined,
  contract: string,
): Promise<void> {
  let answer: unknown;
  try {
    answer = await call();
  } catch (error) {
    const isRight = code === undefined || (error instanceof Error && 'code' in error && error.code === code);
    want(isRight, contract, error);
    return;
  }
  want(false, contract, answer);
}

function equals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Uint8Array !== b instanceof Uint8Array) return false;
  const [left, right] = [new Map(definedEntries(a)), new Map(definedEntries(b))];
  return left.size === right.size && [...left].every(([name, value]) => equals(value, right.get(name)));
}

const definedEntries = (value: object) => Object.entries(value).filter(([, member]) => member !== undefined);

const MAX_SHOWN_LENGTH = 600;

function describe(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
