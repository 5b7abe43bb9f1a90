import type { Dish } from '../corpus/dish.ts';

/**
 * How a take-out course can be recognised:
 * `flag` by the operator's own member; `many-dishes` (more than 10) and `heavy` (more than 3,000 kcal) by size;
 * the others by a mark in a name.
 */
export const TAKE_OUT_FORMS = [
  'flag',
  'many-dishes',
  'heavy',
  'coin',
  'coin-range',
  'pick',
  'pick-ko',
  'pick-range',
  't/o',
  'coin-word',
  'side-word',
  'digits',
  'and-others',
] as const;

/** What a take-out course is: one of `TAKE_OUT_FORMS`. */
export type TakeOutForm = (typeof TAKE_OUT_FORMS)[number];

/** One course of one meal, as the kitchen plans it. */
export interface Course {
  /** Unique within the restaurant's meal. */
  readonly id: string;
  /** Name of the corner that serves it. */
  readonly corner: string;
  /** The main dish first. */
  readonly dishes: readonly Dish[];
  /** Absent for a course eaten in. */
  readonly takeOut?: TakeOutForm;
  /** What people choose from in a take-out course, one by one; absent for a course eaten in. */
  readonly items?: readonly Dish[];
  /** Whether it is sold out; only Shinsegae Food's API says so. */
  readonly soldOut: boolean;
  /** False if the operator gives only zeros. */
  readonly nutritionKnown: boolean;
  /** Name of the photo, without a suffix; absent if there is none. */
  readonly photo?: string;
}
