import { DISCOVERY_PATH, type Resource } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { describeAnswer, isProblem, judgeProblem } from '../../probe/judge-problem.ts';
import { readableResources } from '../../probe/place/readable-resources.ts';
import { itemUrl } from '../../probe/place/urls.ts';

const METHODS = 'json.methods.others';
const METHOD_TYPE = 'err.http.type.method-not-allowed';
const HEAD = 'json.methods.head-options';
const NOT_ACCEPTABLE = ['json.not-acceptable', 'err.http.type.representation-not-acceptable'];
const ABSENT = 'err.http.type.resource-not-found';
const UNKNOWN_PATH = 'decided.outside.unknown-path';
const AUTHORITATIVE = 'discovery.authoritative';

/** An id that no record should have, so that nothing is deleted if a target accepts a method that it must not. */
export const absentId = ({ random }: Pick<CheckContext, 'random'>): string =>
  `rostack-conformance-${random.integer(0, 2 ** 31)}`;

/** Methods that write are refused. They are sent without a body, and for records that do not exist. */
export const methods: Check = {
  name: 'speaks.methods',
  level: 'speaks',
  requirements: [METHODS, METHOD_TYPE, HEAD],
  needs: ['token'],
  async run(context) {
    const { findings, http, release, tokens } = context;
    const token = tokens.main;
    for (const resource of await readableResources(context)) {
      const asked = [
        ...['POST', 'PUT', 'PATCH'].map((method) => [method, resource.collection_url] as const),
        ...['PUT', 'PATCH', 'DELETE'].map(
          (method) => [method, itemUrl(resource, absentId(context))] as const,
        ),
      ];
      for (const [method, url] of asked) {
        const refused = await http.get(url, { method, token });
        const isRight = isProblem(refused, release, ['method-not-allowed']);
        findings.judge(METHOD_TYPE, isRight, () => ({
          expected: `${method} is answered with method-not-allowed (405).`,
          got: describeAnswer(refused),
          exchange: refused.exchange,
        }));
        const allowed = (refused.header('allow') ?? '').split(',').map((name) => name.trim());
        findings.judge(METHODS, isRight && allowed.includes('GET') && !allowed.includes(method), () => ({
          expected: `${method} is answered with method-not-allowed (405) and the field Allow, which names GET.`,
          got: `${describeAnswer(refused)} Allow: ${refused.header('allow') ?? '(missing)'}`,
          exchange: refused.exchange,
        }));
      }
      await judgeHead(context, resource);
    }
  },
};

async function judgeHead(
  { findings, http, tokens }: CheckContext,
  { collection_url }: Resource,
): Promise<void> {
  const token = tokens.main;
  const got = await http.get(collection_url, { token });
  const head = await http.get(collection_url, { method: 'HEAD', token });
  if (head.status === 405) return findings.note(HEAD, 'HEAD is not served');
  const isLike = head.status === got.status && head.header('content-type') === got.header('content-type');
  findings.judge(HEAD, isLike, () => ({
    expected: 'HEAD is answered with the status and the fields of GET.',
    got: `${head.status} where GET has ${got.status}.`,
    exchange: head.exchange,
  }));
}

/** A representation that is not advertised is refused. */
export const representations: Check = {
  name: 'speaks.representations',
  level: 'speaks',
  requirements: [...NOT_ACCEPTABLE, AUTHORITATIVE],
  needs: ['token'],
  async run(context) {
    const { http, tokens } = context;
    for (const { collection_url } of await readableResources(context)) {
      const headers = { Accept: 'application/x-rostack-conformance' };
      judgeProblem(
        context,
        [...NOT_ACCEPTABLE, AUTHORITATIVE],
        await http.get(collection_url, { token: tokens.main, headers }),
        ['representation-not-acceptable'],
        'Accept with a media type that is not advertised',
      );
    }
  },
};

/** Missing records, resources and paths are answered with a problem. */
export const absences: Check = {
  name: 'speaks.absences',
  level: 'speaks',
  requirements: [ABSENT, UNKNOWN_PATH, AUTHORITATIVE],
  needs: ['token'],
  async run(context) {
    const { discovery, findings, http, tokens } = context;
    const token = tokens.main;
    for (const resource of await readableResources(context)) {
      judgeProblem(
        context,
        [ABSENT],
        await http.get(itemUrl(resource, absentId(context)), { token }),
        ['resource-not-found'],
        'A record that does not exist',
      );
    }
    const [first] = discovery.resources;
    if (first === undefined) return;
    const unknown = await http.get(new URL(absentId(context), `${first.collection_url}-`).href, { token });
    findings.judge(AUTHORITATIVE, unknown.status === 404, () => ({
      expected: 'A resource that is not advertised is not there (404).',
      got: describeAnswer(unknown),
      exchange: unknown.exchange,
    }));
    judgeProblem(
      context,
      [UNKNOWN_PATH],
      await http.get(`${DISCOVERY_PATH}-${absentId(context)}`, { token }),
      ['resource-not-found'],
      'An unknown path',
    );
  },
};
