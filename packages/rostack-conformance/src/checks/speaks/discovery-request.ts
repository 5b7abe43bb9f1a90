import { DISCOVERY_PATH } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import { describeAnswer, isProblem, judgeProblem } from '../../probe/judge-problem.ts';

const CACHING = 'discovery.caching';
const NOT_MODIFIED = 'discovery.not-modified';
const NO_PARAMETERS = 'discovery.no-parameters';
const PUBLIC = 'discovery.public';

/** Requests for the document: with and without credentials, repeated, and with other methods. */
export const discoveryRequest: Check = {
  name: 'speaks.discovery.request',
  level: 'speaks',
  requirements: [CACHING, NOT_MODIFIED, NO_PARAMETERS, PUBLIC],
  needs: [],
  async run({ discovery, findings, http, release, tokens }) {
    const isPublic = discovery.authentication.discovery_public !== false;
    const anonymous = await http.get(DISCOVERY_PATH);
    if (isPublic) {
      findings.judge(PUBLIC, anonymous.status === 200, () => ({
        expected: 'The document says that it is public: it is served without credentials.',
        got: describeAnswer(anonymous),
        exchange: anonymous.exchange,
      }));
    } else {
      judgeProblem(
        { findings, release },
        [PUBLIC],
        anonymous,
        ['authentication-required'],
        'Discovery that is not public, asked for without credentials,',
      );
      if (!tokens.hasMain) return;
    }
    const credentials = isPublic ? {} : { token: tokens.main };
    const found = isPublic ? anonymous : await http.get(DISCOVERY_PATH, credentials);
    const etag = found.header('etag');
    const missing = ['ETag', 'Cache-Control'].filter((name) => found.header(name) === undefined);
    findings.judge(CACHING, missing.length === 0, () => ({
      expected: 'The answer carries ETag and Cache-Control.',
      got: `It is without ${missing.join(' and ')}.`,
      exchange: found.exchange,
    }));
    if (etag === undefined) findings.skip(NOT_MODIFIED, 'not claimed: no ETag');
    else {
      const again = await http.get(DISCOVERY_PATH, { ...credentials, headers: { 'If-None-Match': etag } });
      findings.judge(NOT_MODIFIED, again.status === 304 && again.text === '', () => ({
        expected: 'A request with the tag of the document in If-None-Match is answered with 304 and no body.',
        got: `${again.status} with a body of ${again.text.length} characters.`,
        exchange: again.exchange,
      }));
      const other = await http.get(DISCOVERY_PATH, {
        ...credentials,
        headers: { 'If-None-Match': '"rostack-conformance"' },
      });
      findings.judge(NOT_MODIFIED, other.status === 200, () => ({
        expected: 'A request with another tag in If-None-Match is answered with 200.',
        got: describeAnswer(other),
        exchange: other.exchange,
      }));
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const refused = await http.get(DISCOVERY_PATH, { ...credentials, method });
      const isRight =
        isProblem(refused, release, ['method-not-allowed']) && refused.header('allow') !== undefined;
      findings.judge(NO_PARAMETERS, isRight, () => ({
        expected: `${method} is answered with method-not-allowed (405) and the field Allow.`,
        got: describeAnswer(refused),
        exchange: refused.exchange,
      }));
    }
  },
};
