import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { Incomplete } from '../../answers/json/schemas.ts';

const Problem = z
  .object({
    type: z.string().meta({ examples: ['about:blank'] }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What to send instead, or when to ask again.' }),
    incomplete: Incomplete.optional(),
  })
  .meta({ id: 'Problem', description: 'Why a request is refused (RFC 9457).' });

const text = (example: string) => ({ schema: z.string(), example });
const pages = {
  'text/html': text('<!doctype html><html lang="ko">…'),
  'text/markdown': text('# R5 1식당: 2026년 11월 20일 금요일\n\n## 점심\n\n- 한식: **김치찌개**'),
};
/** A page, or its Markdown. */
export const pageAnswer = (description: string): ZodOpenApiResponseObject => ({
  description,
  content: pages,
});
/** A problem object, with an example. */
export const problemAnswer = (
  status: number,
  title: string,
  detail: string,
  description: string,
): ZodOpenApiResponseObject => ({
  description,
  content: {
    'application/problem+json': { schema: Problem, example: { type: 'about:blank', title, status, detail } },
  },
});
/** 500 of the paths for programs. */
export const FAULT = problemAnswer(
  500,
  'Internal error',
  'Request 0f8b1c5e-6a51-4a39-9d0a-3f6f6b6f2a11 failed.',
  'A fault of this service.',
);
/** 304. */
export const NOT_MODIFIED: ZodOpenApiResponseObject = { description: 'Not changed since the given ETag.' };
/** 308. */
export const ELSEWHERE: ZodOpenApiResponseObject = {
  description: 'The slug was another one: the right path.',
};
/** 431. */
export const TOO_LARGE: ZodOpenApiResponseObject = {
  description: 'The header fields are larger than 16 KiB.',
};
const UNREADABLE = pageAnswer(
  'The operator cannot be read and nothing is kept; Retry-After says when to try again.',
);
/** Of pages of a restaurant, besides the page itself. */
export const RESTAURANT_ANSWERS = {
  '308': ELSEWHERE,
  '404': pageAnswer('No such restaurant.'),
  '500': pageAnswer('A fault of this service.'),
  '503': UNREADABLE,
};
const TOO_MANY = 'Too many requests that had to be read first; Retry-After says when to try again.';
const NOT_THERE = 'No such restaurant, or a date more than 60 days back or 30 ahead.';
/** Of pages of a day, besides the page itself. */
export const DAY_ANSWERS = {
  '304': NOT_MODIFIED,
  '400': pageAnswer('Not a real date.'),
  ...RESTAURANT_ANSWERS,
  '404': pageAnswer(NOT_THERE),
  '429': pageAnswer(TOO_MANY),
};

type FeedStatus = '200' | '400' | '404' | '429' | '500' | '503';

/** Errors come in the same medium: a feed or calendar without entries whose title and description say why. */
const subscription =
  (content: ZodOpenApiResponseObject['content'], read: string) =>
  (
    operationId: string,
    summary: string,
    statuses: readonly FeedStatus[],
    answers: object = {},
  ): ZodOpenApiOperationObject => {
    const descriptions: Readonly<Record<FeedStatus, string>> = {
      '200': `${read} What could not be read is an entry that says so; such an answer is not kept (no-store).`,
      '400': 'Not a real date, or no such dish or restaurants.',
      '404': NOT_THERE,
      '429': TOO_MANY,
      '500': 'A fault of this service.',
      '503':
        'Restaurants have never been read, so that they would be missing; Retry-After says when to try again.',
    };
    const described = statuses.map((status) => [status, { description: descriptions[status], content }]);
    return {
      operationId,
      summary,
      tags: ['feeds'],
      responses: { ...Object.fromEntries(described), '304': NOT_MODIFIED, ...answers },
    };
  };
/** An operation that answers with RSS. */
export const feedOperation = subscription(
  { 'application/rss+xml': text('<?xml version="1.0"?><rss version="2.0">…') },
  'RSS 2.0.',
);
/** An operation that answers with iCalendar. */
export const calendarOperation = subscription(
  { 'text/calendar': text('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…') },
  'iCalendar.',
);
/** Of feeds and calendars of a day. */
export const DAY_STATUSES = ['200', '400', '404', '429', '500', '503'] as const;
/** Of the days from today on, which need no date. */
export const WEEK_STATUSES = ['200', '404', '429', '500', '503'] as const;
