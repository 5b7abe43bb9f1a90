import { expect, expectTypeOf, test } from 'vitest';
import { defineError, defineErrors } from './define-error.ts';
import { hasCode } from './has-code.ts';

class KitchenClosedError extends defineError('KitchenClosedError', 'kitchen_closed', true) {}

abstract class MealError extends Error {
  abstract readonly code: string;
}

const errors = defineErrors(
  {
    SoldOutError: { code: 'sold_out', retryable: false },
    QueueTooLongError: { code: 'queue_too_long', retryable: true },
  },
  MealError,
);

class SoldOutError extends errors.SoldOutError {
  readonly dish: string;

  constructor(dish: string) {
    super(`there is no ${dish} left`);
    this.dish = dish;
  }
}

test('an error has the name, the code and `retryable` of its class', () => {
  const cause = new Error('gas');
  const error = new KitchenClosedError('closed until noon', { cause });
  expect(error).toBeInstanceOf(KitchenClosedError);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'KitchenClosedError', code: 'kitchen_closed', retryable: true, cause });
  expect(Error.prototype.toString.call(error)).toBe('KitchenClosedError: closed until noon');
  expect(Object.keys(error)).toEqual(['name', 'code', 'retryable']);
  expect('cause' in new KitchenClosedError('closed')).toBe(false);
});

test('the classes of a table are different ones with the same base', () => {
  const error: unknown = new SoldOutError('bibimbap');
  expect(error).toBeInstanceOf(SoldOutError);
  expect(error).toBeInstanceOf(MealError);
  expect(error).not.toBeInstanceOf(errors.QueueTooLongError);
  expect(error).toMatchObject({ code: 'sold_out', retryable: false, message: 'there is no bibimbap left' });
  if (!hasCode<SoldOutError>(error, 'sold_out')) throw error;
  expectTypeOf(error.dish).toEqualTypeOf<string>();
});

test('the code tells errors apart in their types', () => {
  expectTypeOf<KitchenClosedError['code']>().toEqualTypeOf<'kitchen_closed'>();
  expectTypeOf<KitchenClosedError['retryable']>().toEqualTypeOf<true>();
  expectTypeOf<SoldOutError['code']>().toEqualTypeOf<'sold_out'>();
  expectTypeOf<
    Extract<KitchenClosedError | SoldOutError, { readonly code: 'sold_out' }>
  >().toEqualTypeOf<SoldOutError>();
});
