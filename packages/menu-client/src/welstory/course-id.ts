import type { MealCode } from '../domain/daily-menu.ts';
import { isMealCode } from '../operator/meal-code.ts';

/** Identifies a course within a restaurant's day. */
export interface CourseKey {
  readonly meal: MealCode;
  readonly hall: string;
  readonly course: string;
}

/**
 * The menu id of a course: its parts percent-encoded, joined by dots. A row without a course is identified by its dish,
 * with one part more: the operator cannot be asked for it.
 */
export function formatCourseId(
  { meal, hall, course }: Omit<CourseKey, 'course'> & { readonly course: string | undefined },
  dish: string,
): string {
  const rest = course === undefined ? `.${encodePart(dish)}` : encodePart(course);
  return `${meal}.${encodePart(hall)}.${rest}`;
}

/** The parts of a menu id, or undefined for text that is not one. */
export function parseCourseId(id: string): CourseKey | undefined {
  const [meal = '', hall, course, ...rest] = id.split('.');
  if (!isMealCode(meal) || hall === undefined || course === undefined || rest.length > 0) return undefined;
  try {
    return { meal, hall: decodeURIComponent(hall), course: decodeURIComponent(course) };
  } catch {
    return undefined;
  }
}

const UNRESERVED = /^[\w-]*$/;

function encodePart(part: string): string {
  if (UNRESERVED.test(part)) return part;
  return encodeURIComponent(part.toWellFormed()).replaceAll('.', '%2E');
}
