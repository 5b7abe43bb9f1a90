import { describe, expect, test } from 'vitest';
import {
  aBoolean,
  aFunction,
  anInteger,
  anObject,
  aSignal,
  aString,
  checksOf,
  guardObserver,
  listOf,
  type OptionCheck,
  objectWith,
  oneOf,
  option,
  optional,
  optionsOf,
  withDefaults,
} from './option-check.ts';

interface Example {
  readonly count: number;
  readonly inner?: { readonly on: boolean };
}

const example = optionsOf<Example>({
  count: anInteger(1, 9),
  inner: optional(optionsOf<{ on: boolean }>({ on: aBoolean })),
});

describe('a check of an option', () => {
  test.for<[OptionCheck, unknown, string]>([
    [anInteger(0), Number.NaN, 'it is NaN: use an integer of at least 0'],
    [anInteger(0), -1, 'it is -1: use an integer of at least 0'],
    [anInteger(0), 1.5, 'it is 1.5: use an integer of at least 0'],
    [anInteger(0), Number.POSITIVE_INFINITY, 'it is Infinity: use an integer of at least 0'],
    [anInteger(1, 9), 10, 'it is 10: use an integer from 1 to 9'],
    [anInteger(1), '5', 'it is "5": use an integer of at least 1'],
    [anInteger(1), null, 'it is null: use an integer of at least 1'],
    [anInteger(1), 5n, 'it is the bigint 5: use an integer of at least 1'],
    [aString, '', 'it is "": use a string of at least one character'],
    [aString, null, 'it is null: use a string of at least one character'],
    [aBoolean, 'false', 'it is "false": use true or false'],
    [aFunction, 'x', 'it is "x": use a function'],
    [anObject, [], 'it is an array: use an object'],
    [aSignal, {}, 'it is an object: use an AbortSignal'],
    [oneOf('full', 'normal'), 'ful', 'it is "ful": use "full" or "normal"'],
    [
      objectWith('load', 'replace'),
      { load() {} },
      'it is an object: use an object with the methods load, replace',
    ],
    [listOf(aString), 'a', 'it is "a": use an array'],
    [listOf(aString), ['a', ''], 'it[1] is "": use a string of at least one character'],
    [optional(aString), 0, 'it is 0: use a string of at least one character'],
    [example, undefined, 'it is undefined: use an object'],
    [example, {}, 'it.count is undefined: use an integer from 1 to 9'],
    [example, { cuont: 1 }, 'it has no member "cuont": use count, inner'],
    [example, { count: 1, inner: { on: 1 } }, 'it.inner.on is 1: use true or false'],
    [example, { count: 1, inner: { constructor: 1 } }, 'it.inner has no member "constructor": use on'],
  ])('names it, says what it is and what to use: %#', ([check, value, fault]) => {
    expect(check(value, 'it')).toBe(fault);
  });

  test('takes what fits', () => {
    expect(example({ count: 9, inner: undefined }, 'it')).toBeUndefined();
    expect(optional(listOf(oneOf('a')))(['a'], 'it')).toBeUndefined();
    expect(objectWith('get')(new Map(), 'it')).toBeUndefined();
    expect(aSignal(AbortSignal.abort(), 'it')).toBeUndefined();
  });

  test('shows no more than the beginning of a long text', () => {
    expect(aBoolean('x'.repeat(1_000), 'it')?.length).toBeLessThan(120);
  });
});

describe('a guarded observer', () => {
  const boom = new Error('boom');
  test.for<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw boom;
      },
    ],
    ['rejects', () => Promise.reject(boom)],
  ])('that %s harms nobody', async ([, observer]) => {
    const failures: unknown[] = [];
    guardObserver(observer, (error) => failures.push(error))();
    await Promise.resolve();
    expect(failures).toEqual([boom]);
  });
  test.for<[string, unknown]>([
    ['nothing', undefined],
    ['a number that is none', Number.NaN],
    ['an object', {}],
    ['null', null],
  ])('that gives %s has not failed', async ([, value]) => {
    const failures: unknown[] = [];
    guardObserver(
      () => value,
      (error) => failures.push(error),
    )();
    await Promise.resolve();
    expect(failures).toEqual([]);
  });
});

describe('a table of options', () => {
  const table = { maxItems: option(anInteger(1), 10), label: option(aString, 'a') };

  test('gives what is left out or undefined its default, and nothing else', () => {
    expect(withDefaults(table)).toEqual({ maxItems: 10, label: 'a' });
    const given = { maxItems: 3, label: undefined, other: true };
    expect(withDefaults(table, given)).toEqual({ maxItems: 3, label: 'a' });
  });

  test('checks what is given', () => {
    const check = optionsOf(checksOf(table));
    expect(check({}, 'options')).toBeUndefined();
    expect(check({ maxItems: undefined }, 'options')).toBeUndefined();
    expect(check({ maxItems: 0 }, 'options')).toBe('options.maxItems is 0: use an integer of at least 1');
    expect(check({ maxitems: 1 }, 'options')).toContain('use maxItems, label');
  });
});
