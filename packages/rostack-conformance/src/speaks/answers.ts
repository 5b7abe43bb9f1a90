import { PROBLEM_MEDIA_TYPE, parseProblem } from 'rostack-core';
import type { Watch } from '../check/check.ts';
import { mediaTypeOf } from '../http/exchange.ts';

const EVERY_FAILURE = 'err.http.every-failure';

/** Every failure is a problem object. */
export const answers: Watch = {
  name: 'speaks.answers',
  level: 'speaks',
  requirements: [EVERY_FAILURE],
  watch(exchange, { findings, release }) {
    const { method, status, json } = exchange;
    if (status < 400 || method === 'HEAD') return;
    const mediaType = mediaTypeOf(exchange);
    let said = `${status} with a body of ${mediaType === '' ? 'no media type' : mediaType}`;
    let isProblem = mediaType === PROBLEM_MEDIA_TYPE;
    try {
      if (release === '2026-08-12') parseProblem(json, { release });
      else parseProblem(json);
    } catch (error) {
      isProblem = false;
      said = error instanceof Error ? error.message : String(error);
    }
    findings.judge(EVERY_FAILURE, isProblem, () => ({
      expected: `A failure is answered with a problem object of ${release}, as ${PROBLEM_MEDIA_TYPE}.`,
      got: said,
      exchange,
    }));
  },
};
