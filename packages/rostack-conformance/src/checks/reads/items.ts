import { type JsonObject, type JsonValue, jsonEquals, type Resource } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import type { ProbeResponse } from '../../probe/http/http-probe.ts';
import { describeAnswer } from '../../probe/judge-problem.ts';
import { largestLimit, readChain } from './sample/chain.ts';
import { idMemberOf, idOf } from './sample/id-member.ts';
import { recordUrl, type Sample, samplesWith } from './sample/sample.ts';

const RECORD = 'json.item.record';
const URL_OF_ITEM = 'json.item-url';
const ID = 'decided.id';
const ETAG = 'json.item.etag';
const NOT_MODIFIED = 'json.item.not-modified';
const BY_REPRESENTATION = 'json.item.etag-by-representation';

/** How many items are read for each resource. */
const MAX_ITEMS = 12;

/** Records of a list are read one by one, by their URLs. */
export const items: Check = {
  name: 'reads.items',
  level: 'reads',
  requirements: [RECORD, URL_OF_ITEM, ID, ETAG, NOT_MODIFIED, BY_REPRESENTATION],
  needs: ['token'],
  async run(context) {
    for (const sample of await samplesWith(context, 1)) {
      const { resource } = sample;
      if (sample.items.every((item) => idOf(item, resource) === undefined)) {
        for (const id of [RECORD, URL_OF_ITEM, ID])
          context.findings.skip(id, 'no data: records have no id that can be found');
        continue;
      }
      for (const item of unusualFirst(sample, context.random)) await tryItem(context, resource, item);
      const [first] = sample.items;
      if (first !== undefined) await tryEtags(context, sample, first);
    }
  },
};

/** Puts records whose ids have to be encoded first; the others are picked at random. */
function unusualFirst(
  { resource, items: all }: Sample,
  random: CheckContext['random'],
): readonly JsonObject[] {
  const isUnusual = (item: JsonObject) => !/^[\w.~-]+$/.test(idOf(item, resource) ?? '');
  const usual = all.filter((item) => !isUnusual(item));
  return [...all.filter(isUnusual), ...random.some(usual, 4, 4)].slice(0, MAX_ITEMS);
}

async function tryItem(context: CheckContext, resource: Resource, item: JsonObject): Promise<void> {
  const { findings, http, tokens } = context;
  const url = recordUrl(resource, item);
  if (url === undefined) {
    findings.fail(ID, {
      expected: 'The id of a record is a string or an integer.',
      got: JSON.stringify(item[idMemberOf(resource)]),
    });
    return;
  }
  findings.pass(ID);
  const member = idMemberOf(resource);
  if (member !== 'id') findings.note(ID, `Records of ${resource.name} have their id at /${member}.`);
  const response = await http.get(url, { token: tokens.main });
  if (response.status === 200) {
    findings.pass(URL_OF_ITEM);
    const isSame = jsonEquals(response.json as JsonValue, item);
    if (isSame || !(await isListed(context, resource, item))) {
      findings.pass(RECORD);
      return;
    }
    findings.fail(RECORD, {
      expected: `The item is the record as it is listed: ${JSON.stringify(item)}.`,
      got: response.text,
      exchange: response.exchange,
    });
    return;
  }
  // It may have been deleted in the meantime.
  if (!(await isListed(context, resource, item))) return;
  findings.fail(URL_OF_ITEM, {
    expected: `The item ${JSON.stringify(idOf(item, resource))} of ${resource.name}, which is listed, is found at its URL.`,
    got: describeAnswer(response),
    exchange: response.exchange,
  });
}

/** Whether a list still has a record as it was. */
async function isListed(context: CheckContext, resource: Resource, item: JsonObject): Promise<boolean> {
  const { items: listed } = await readChain(
    context,
    resource,
    { limit: String(largestLimit(context)) },
    { maxPages: 10 },
  );
  return listed.some((each) => jsonEquals(each, item));
}

async function tryEtags(context: CheckContext, { resource }: Sample, item: JsonObject): Promise<void> {
  const { findings, http, tokens } = context;
  const url = recordUrl(resource, item);
  if (url === undefined) return;
  const ask = (to: string, headers: Readonly<Record<string, string>> = {}): Promise<ProbeResponse> =>
    http.get(to, { token: tokens.main, headers });
  const first = await ask(url);
  if (first.status !== 200) return;
  const etag = first.header('etag');
  findings.judge(ETAG, etag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag), () => ({
    expected: 'An item carries an entity tag in the field ETag.',
    got: etag === undefined ? 'There is none.' : etag,
    exchange: first.exchange,
  }));
  if (etag === undefined) return;
  const again = await ask(url, { 'If-None-Match': etag });
  const isSame = (await ask(url)).header('etag') === etag;
  if (isSame) {
    findings.judge(NOT_MODIFIED, again.status === 304 && again.text === '', () => ({
      expected: `If-None-Match with the present tag ${etag} gets 304 without a body.`,
      got: `Status ${again.status}.`,
      exchange: again.exchange,
    }));
  }
  const other = await ask(url, { 'If-None-Match': '"no-such-tag"' });
  findings.judge(NOT_MODIFIED, other.status === 200, () => ({
    expected: 'If-None-Match with another tag gets 200.',
    got: `Status ${other.status}.`,
    exchange: other.exchange,
  }));
  const [name] = Object.keys(item);
  const selected = `${url}${url.includes('?') ? '&' : '?'}fields=${encodeURIComponent(`/${name}`)}`;
  const shapes: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [selected, {}],
    ...resource.representations
      .slice(1)
      .map(({ media_type: mediaType }) => [url, { Accept: mediaType }] as const),
  ];
  for (const [to, headers] of shapes) {
    const shown = await ask(to, { ...headers, 'If-None-Match': etag });
    findings.judge(BY_REPRESENTATION, shown.status !== 304, () => ({
      expected:
        'The tag of the whole record is not that of another representation, or of a selection of fields.',
      got: `Status ${shown.status}.`,
      exchange: shown.exchange,
    }));
  }
}
