import { JSON_MEDIA_TYPE, type Resource } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { mediaTypeOf } from '../../probe/http/exchange.ts';
import { schemaValidators } from '../../probe/place/schema-validators.ts';
import { listUrl } from '../../probe/place/urls.ts';
import { largestLimit, readChain } from './sample/chain.ts';
import { judgeRefusal } from './sample/judge-refusal.ts';
import { recordSchemas } from './sample/record-schemas.ts';
import { recordUrl, type Sample, samplesOf } from './sample/sample.ts';

const ACCEPT = 'json.accept';
const CONTENT_TYPE = 'json.content-type';
const NOT_ACCEPTABLE = 'json.not-acceptable';
const SCHEMA = 'json.representation-schema';

/** A media type that no target serves. */
const UNKNOWN_TYPE = 'application/x-no-such-type';

/** `Accept` chooses among the representations, and `Content-Type` names the chosen one. */
export const representations: Check = {
  name: 'reads.representations',
  level: 'reads',
  requirements: [ACCEPT, CONTENT_TYPE, NOT_ACCEPTABLE, 'err.http.type.representation-not-acceptable'],
  needs: ['token'],
  async run(context) {
    for (const sample of await samplesOf(context)) {
      for (const url of urlsOf(sample)) {
        for (const acceptance of acceptancesOf(sample.resource)) {
          await tryAccept(context, sample.resource, url, acceptance);
        }
        await tryNotAcceptable(context, url, UNKNOWN_TYPE);
        await tryNotAcceptable(context, url, `${UNKNOWN_TYPE}, */*;q=0`);
      }
    }
  },
};

/** A list, and an item of it. */
function urlsOf({ resource, items: [first] }: Sample): readonly string[] {
  const item = first && recordUrl(resource, first);
  return [listUrl(resource, { limit: '2' }), ...(item === undefined ? [] : [item])];
}

/** A value of `Accept` with what it chooses; undefined if any representation will do. */
type Acceptance = readonly [accept: string, wanted: string | undefined];

function acceptancesOf({ representations: all }: Resource): readonly Acceptance[] {
  const others = all.map(({ media_type: mediaType }) => mediaType).filter((type) => type !== JSON_MEDIA_TYPE);
  return [
    ['*/*', undefined],
    [JSON_MEDIA_TYPE, JSON_MEDIA_TYPE],
    [`${UNKNOWN_TYPE}, ${JSON_MEDIA_TYPE};q=0.1`, JSON_MEDIA_TYPE],
    ...others.flatMap((type): Acceptance[] => [
      [type, type],
      [`${type};q=0.2, ${JSON_MEDIA_TYPE};q=0.8`, JSON_MEDIA_TYPE],
      [`${JSON_MEDIA_TYPE};q=0.2, ${type};q=0.8`, type],
      [`${JSON_MEDIA_TYPE};q=0, ${type}`, type],
    ]),
  ];
}

async function tryAccept(
  { http, tokens, findings }: CheckContext,
  { representations: all }: Resource,
  url: string,
  [accept, wanted]: Acceptance,
): Promise<void> {
  const advertised = all.map(({ media_type: mediaType }) => mediaType.toLowerCase());
  const response = await http.get(url, { token: tokens.main, headers: { Accept: accept } });
  // This representation may need further rights, or the record may be gone.
  if (response.status === 403 || response.status === 404 || response.status === 410) return;
  findings.judge(ACCEPT, response.status === 200, () => ({
    expected: `Accept: ${accept} is answered with ${wanted ?? 'a representation'}.`,
    got: `Status ${response.status}.`,
    exchange: response.exchange,
  }));
  if (response.status !== 200) return;
  const type = mediaTypeOf(response.exchange);
  // An advertised type means a wrong choice; an unknown one is a wrong name for what was chosen.
  const isKnown = advertised.includes(type);
  findings.judge(CONTENT_TYPE, isKnown, () => ({
    expected: `Content-Type names one of ${advertised.join(', ')}.`,
    got: type === '' ? 'It is missing.' : type,
    exchange: response.exchange,
  }));
  if (!isKnown || wanted === undefined) return;
  findings.judge(ACCEPT, type === wanted.toLowerCase(), () => ({
    expected: `Accept: ${accept} is answered with ${wanted}.`,
    got: `Content-Type is ${type}.`,
    exchange: response.exchange,
  }));
}

async function tryNotAcceptable(context: CheckContext, url: string, accept: string): Promise<void> {
  const { http, tokens } = context;
  const response = await http.get(url, { token: tokens.main, headers: { Accept: accept } });
  if (response.status === 404 || response.status === 410) return;
  judgeRefusal(context, [NOT_ACCEPTABLE], response, 'representation-not-acceptable', `Accept: ${accept}`);
}

/** Records fit the schema that their representation is advertised with. */
export const representationSchemas: Check = {
  name: 'reads.representations.schemas',
  level: 'reads',
  requirements: [SCHEMA],
  needs: ['token'],
  async run(context) {
    const validatorOf = schemaValidators(await recordSchemas(context));
    for (const { resource } of await samplesOf(context)) {
      for (const { media_type: mediaType, schema_url: url } of resource.representations) {
        const validate = validatorOf(url);
        if (validate === undefined) {
          context.findings.skip(SCHEMA, `no data: ${url} is not a schema that can be used`);
          continue;
        }
        const parameters = { limit: String(largestLimit(context)) };
        const headers = { Accept: mediaType };
        const { items, pages } = await readChain(context, resource, parameters, { maxPages: 1, headers });
        if (items.length === 0) continue;
        const wrong = items.find((item) => validate(item) !== undefined);
        context.findings.judge(SCHEMA, wrong === undefined, () => ({
          expected: `Every item of ${resource.name} as ${mediaType} is valid by ${url}.`,
          got: `${validate(wrong)}: ${JSON.stringify(wrong)}`,
          exchange: pages[0]?.response.exchange,
        }));
      }
    }
  },
};
