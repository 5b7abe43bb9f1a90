import { type AuthenticationMethod, SHARED_TOKEN_SCHEME } from 'rostack-core';
import type { Check } from '../check/check.ts';
import type { CheckContext } from '../check/check-context.ts';
import type { ProbeResponse } from '../http/http-probe.ts';
import { listUrl } from './chain.ts';
import { isProblem, saidBy } from './expect-problem.ts';
import { samplesOf } from './sample.ts';

const SCHEME_CASE = 'auth.scheme-case';
const OFFERED_ONLY = 'auth.offered-only';
const NOT_IN_URLS = 'auth.not-in-urls';
const ALIKE = 'auth.alike';
const REQUIRED = 'err.http.type.authentication-required';

const SCHEMES: Readonly<Record<AuthenticationMethod, string>> = {
  shared_token: SHARED_TOKEN_SCHEME,
  oauth2: 'Bearer',
};
const METHOD_IDS: Readonly<Record<AuthenticationMethod, string>> = {
  shared_token: 'auth.token.scheme',
  oauth2: 'auth.oauth.scheme',
};

/** How credentials are sent, rightly and wrongly. */
export const credentials: Check = {
  name: 'reads.credentials',
  level: 'reads',
  requirements: [SCHEME_CASE, OFFERED_ONLY, NOT_IN_URLS, ALIKE, REQUIRED, ...Object.values(METHOD_IDS)],
  needs: ['token'],
  async run(context) {
    const [sample] = await samplesOf(context);
    if (sample === undefined) return;
    const url = listUrl(sample.resource, { limit: '1' });
    await trySchemes(context, url);
    await tryPlaces(context, url);
    await tryWrongTokens(context, url);
  },
};

async function trySchemes(context: CheckContext, url: string): Promise<void> {
  const { findings, http, tokens, discovery } = context;
  const scheme = SCHEMES[tokens.method];
  const withScheme = (name: string) =>
    http.get(url, { headers: { Authorization: `${name} ${tokens.main}` } });
  for (const [name, id] of [
    [scheme, METHOD_IDS[tokens.method]],
    [scheme.toLowerCase(), SCHEME_CASE],
    [scheme.toUpperCase(), SCHEME_CASE],
  ] as const) {
    const response = await withScheme(name);
    findings.judge(id, response.status === 200, () => ({
      expected: `A token is taken with the scheme ${name}.`,
      got: `${saidBy(response)}.`,
      exchange: response.exchange,
    }));
  }
  const offered = discovery.authentication.methods.map(({ type }) => SCHEMES[type]);
  for (const name of [...Object.values(SCHEMES), 'Basic', 'Token'].filter(
    (each) => !offered.includes(each),
  )) {
    judgeRefused(
      context,
      await withScheme(name),
      `A token with the scheme ${name}, which is not offered,`,
      OFFERED_ONLY,
    );
  }
}

/** Credentials that are right, in the wrong place. */
async function tryPlaces(context: CheckContext, url: string): Promise<void> {
  const { http, tokens, findings } = context;
  for (const name of ['access_token', 'token']) {
    const response = await http.get(`${url}&${name}=${encodeURIComponent(tokens.main)}`);
    findings.judge(NOT_IN_URLS, response.status >= 400, () => ({
      expected: 'A token in the URL authenticates nobody.',
      got: `${saidBy(response)}.`,
      exchange: response.exchange,
    }));
  }
  const cookie = await http.get(url, {
    headers: { Cookie: `token=${tokens.main}; access_token=${tokens.main}` },
  });
  judgeRefused(context, cookie, 'A token in a cookie', NOT_IN_URLS);
}

/** Credentials that are wrong in different ways. */
async function tryWrongTokens(context: CheckContext, url: string): Promise<void> {
  const { http, tokens, findings } = context;
  const { main } = tokens;
  const last = main.at(-1) === 'A' ? 'B' : 'A';
  const wrong = ['x', `${main.slice(0, -1)}${last}`, main.slice(0, -4)];
  const answers: ProbeResponse[] = [];
  for (const token of wrong) answers.push(await http.get(url, { token }));
  for (const answer of answers) judgeRefused(context, answer, 'A wrong token', ALIKE);
  const texts = answers.map(({ json }) => withoutRequest(json));
  findings.judge(ALIKE, new Set(texts).size === 1, () => ({
    expected: 'Malformed and unknown credentials are answered alike.',
    got: [...new Set(texts)].join(' or '),
    exchange: answers[0]?.exchange,
  }));
}

/** What a problem says, but for what names the request. */
function withoutRequest(json: unknown): string {
  const { request_id: _, instance: __, ...rest } = (json ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify(rest);
}

function judgeRefused(context: CheckContext, response: ProbeResponse, what: string, id: string): void {
  const failure = () => ({
    expected: `${what} is answered with authentication-required.`,
    got: `${saidBy(response)}.`,
    exchange: response.exchange,
  });
  if (response.status === 401) {
    context.findings.pass(id);
    context.findings.judge(REQUIRED, isProblem(context, response, 'authentication-required'), failure);
  } else context.findings.fail(id, failure());
}
