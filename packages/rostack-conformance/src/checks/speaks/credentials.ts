import { type AuthenticationMethod, SHARED_TOKEN_SCHEME } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import type { ProbeRequest, ProbeResponse } from '../../probe/http/http-probe.ts';
import { describeAnswer, judgeProblem } from '../../probe/judge-problem.ts';
import { readableResources } from '../../probe/place/readable-resources.ts';
import { itemUrl, listUrl } from '../../probe/place/urls.ts';
import { absentId } from './requests.ts';

const NO_CREDENTIALS = ['permission.no-credentials', 'err.http.type.authentication-required'];
const CHALLENGE = 'auth.challenge';
const ALIKE = 'auth.alike';
const OFFERED_ONLY = 'auth.offered-only';
const NOT_IN_URLS = 'auth.not-in-urls';
const VERIFIED = 'auth.oauth.verified';
const CASE = 'auth.scheme-case';

const SCHEMES: Readonly<Record<AuthenticationMethod, string>> = {
  shared_token: SHARED_TOKEN_SCHEME,
  oauth2: 'Bearer',
};
const SCHEME_REQUIREMENTS: Readonly<Record<AuthenticationMethod, string>> = {
  shared_token: 'auth.token.scheme',
  oauth2: 'auth.oauth.scheme',
};

/** Without credentials and with wrong ones, everything is refused in the same way, with a challenge for each method. */
export const challenge: Check = {
  name: 'speaks.credentials.challenge',
  level: 'speaks',
  requirements: [...NO_CREDENTIALS, CHALLENGE, ALIKE],
  needs: [],
  async run(context) {
    const { discovery, findings, http, random } = context;
    const offered = discovery.authentication.methods.map(({ type }) => SCHEMES[type]);
    const wrong = offered.flatMap((scheme) => [
      `${scheme} rostack-conformance-${random.integer(0, 2 ** 31)}`,
      `${scheme} ${'A'.repeat(43)}`,
    ]);
    for (const resource of discovery.resources) {
      for (const url of [resource.collection_url, itemUrl(resource, absentId(context))]) {
        const answers = [await http.get(url)];
        for (const Authorization of wrong) answers.push(await http.get(url, { headers: { Authorization } }));
        for (const answer of answers) {
          judgeProblem(
            context,
            NO_CREDENTIALS,
            answer,
            ['authentication-required'],
            'A request without right credentials',
          );
          judgeChallenge(context, answer, offered);
        }
        const [first, ...others] = answers.slice(1).map(wordsOf);
        const different = others.find((words) => words !== first);
        findings.judge(ALIKE, different === undefined, () => ({
          expected: 'Credentials that are malformed and credentials that are unknown are answered alike.',
          got: `${first ?? ''} for one, ${different ?? ''} for another.`,
          exchange: answers[1]?.exchange,
        }));
      }
    }
  },
};

/** What an answer says, without the parts that differ each time. */
function wordsOf({ status, json }: ProbeResponse): string {
  const { type, title, detail } = (json ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify({ status, type, title, detail });
}

function judgeChallenge({ findings }: CheckContext, answer: ProbeResponse, offered: readonly string[]): void {
  if (answer.status !== 401) return;
  const challenges = answer.headers('www-authenticate');
  const schemes = challenges.map((text) => text.split(' ')[0]?.toLowerCase());
  const missing = offered.filter((scheme) => !schemes.includes(scheme.toLowerCase()));
  findings.judge(CHALLENGE, missing.length === 0, () => ({
    expected: `A 401 has a field WWW-Authenticate of its own for each method: ${offered.join(', ')}.`,
    got: challenges.length === 0 ? 'There is none.' : `There is ${challenges.join(' and ')}.`,
    exchange: answer.exchange,
  }));
}

/** The right token is accepted only in the right place. */
export const places: Check = {
  name: 'speaks.credentials.places',
  level: 'speaks',
  requirements: [VERIFIED, OFFERED_ONLY, NOT_IN_URLS, CASE, ...Object.values(SCHEME_REQUIREMENTS)],
  needs: ['token'],
  async run(context) {
    const { discovery, findings, http, tokens } = context;
    const [resource] = await readableResources(context);
    if (resource === undefined) return;
    const { method, main } = tokens;
    const scheme = SCHEMES[method];
    const url = listUrl(resource, { limit: '1' });
    const granted = async (id: string, request: ProbeRequest, expected: string) => {
      const answer = await http.get(url, request);
      findings.judge(id, answer.status === 200, () => ({
        expected,
        got: describeAnswer(answer),
        exchange: answer.exchange,
      }));
    };
    await granted(SCHEME_REQUIREMENTS[method], { token: main }, `The token is taken as ${scheme}.`);
    for (const written of [scheme.toLowerCase(), scheme.toUpperCase()]) {
      const headers = { Authorization: `${written} ${main}` };
      await granted(CASE, { headers }, 'The name of a scheme is matched without case.');
    }
    const refused = async (id: string, request: ProbeRequest, where: string, at = url) => {
      const answer = await http.get(at, request);
      findings.judge(id, answer.status === 401 || answer.status === 400, () => ({
        expected: `The token ${where} authenticates nobody.`,
        got: describeAnswer(answer),
        exchange: answer.exchange,
      }));
    };
    if (method === 'oauth2') await refused(VERIFIED, { token: altered(main) }, 'with another signature');
    const other = method === 'oauth2' ? 'shared_token' : 'oauth2';
    const isOffered = discovery.authentication.methods.some(({ type }) => type === other);
    const headers = { Authorization: `${SCHEMES[other]} ${main}` };
    if (!isOffered) await refused(OFFERED_ONLY, { headers }, `as ${SCHEMES[other]}, which is not offered,`);
    await refused(OFFERED_ONLY, { headers: { Authorization: `Basic ${btoa(`${main}:`)}` } }, 'as Basic');
    for (const name of ['access_token', 'token']) {
      await refused(NOT_IN_URLS, {}, `in the query parameter ${name}`, listUrl(resource, { [name]: main }));
      await refused(NOT_IN_URLS, { headers: { Cookie: `${name}=${main}` } }, `in the cookie ${name}`);
    }
  },
};

/** A token with a change in the middle of its last part. */
function altered(token: string): string {
  const at = token.length - Math.ceil((token.length - token.lastIndexOf('.')) / 2);
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}
