import {
  formatPointer,
  JSON_MEDIA_TYPE,
  type JsonObject,
  type JsonValue,
  jsonEquals,
  parseFields,
  project,
} from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { listUrl } from '../../probe/place/urls.ts';
import { largestLimit, readChain } from './sample/chain.ts';
import { judgeRefusal } from './sample/judge-refusal.ts';
import { compareList, recordUrl, type Sample, samplesOf, samplesWith } from './sample/sample.ts';

const FIELDS = 'json.query.fields';
const WHOLE = 'json.query.filter-sees-record';
const OF_REPRESENTATION = 'json.query.fields-of-representation';
const MAX_SELECTIONS = 6;

/** `fields` keeps what it names, in lists and items, and does not affect filters or order. */
export const fieldsKept: Check = {
  name: 'reads.fields.kept',
  level: 'reads',
  requirements: [FIELDS, WHOLE],
  needs: ['token'],
  async run(context) {
    for (const sample of await samplesWith(context, 1)) {
      for (const fields of selectionsOf(sample, context.random)) await trySelection(context, sample, fields);
      await trySortedSelection(context, sample);
    }
  },
};

async function trySelection(context: CheckContext, sample: Sample, fields: string): Promise<void> {
  const { findings, http, tokens } = context;
  const kept = keeperOf(fields);
  const { chain, difference, broken, isUnsettled } = await compareList(context, sample, {
    parameters: { fields, limit: String(largestLimit(context)) },
    maxPages: 1,
    differs: ({ items }, { items: sampled }) => {
      const at = items.findIndex((item, index) => !jsonEquals(item, kept(sampled[index] ?? {})));
      return at === -1 ? undefined : at;
    },
  });
  if (broken !== undefined) {
    findings.fail(FIELDS, { ...broken, expected: `The fields ${fields} are taken: records have them.` });
    return;
  }
  if (isUnsettled === true) return;
  findings.judge(FIELDS, difference === undefined, () => ({
    expected: `The fields ${fields} leave ${JSON.stringify(kept(sample.items[difference ?? 0] ?? {}))}.`,
    got: JSON.stringify(chain.items[difference ?? 0]),
    exchange: chain.pages[0]?.response.exchange,
  }));
  const [first] = sample.items;
  const url = first && recordUrl(sample.resource, first);
  if (first === undefined || url === undefined) return;
  const separator = url.includes('?') ? '&' : '?';
  const response = await http.get(`${url}${separator}fields=${encodeURIComponent(fields)}`, {
    token: tokens.main,
  });
  if (response.status === 404 || response.status === 410) return;
  const isKept = typeof response.json === 'object' && jsonEquals(response.json as JsonValue, kept(first));
  findings.judge(FIELDS, isKept, () => ({
    expected: `The fields ${fields} leave ${JSON.stringify(kept(first))} of the item.`,
    got: response.text,
    exchange: response.exchange,
  }));
}

/** Sorts by a field that is not kept. */
async function trySortedSelection(context: CheckContext, sample: Sample): Promise<void> {
  const [sort] = sample.resource.filtering.sortable_fields;
  const fields = selectionsOf(sample, context.random).find(
    (text) => sort !== undefined && !text.includes(sort),
  );
  if (sort === undefined || fields === undefined) return;
  const limit = String(largestLimit(context));
  const ask = (parameters: { readonly fields?: string }) =>
    readChain(context, sample.resource, { sort, limit, ...parameters }, { maxPages: 1 });
  const [before, selected, after] = [await ask({}), await ask({ fields }), await ask({})];
  // If records changed in between, this shows nothing.
  if (!jsonEquals(before.items, after.items)) return;
  const kept = keeperOf(fields);
  const isKept = jsonEquals(selected.items.map(kept), after.items.map(kept));
  context.findings.judge(WHOLE, isKept, () => ({
    expected: `The order ${sort} is the same with the fields ${fields}, which do not name it.`,
    got: JSON.stringify(selected.items).slice(0, 300),
    exchange: selected.pages[0]?.response.exchange,
  }));
}

function keeperOf(fields: string): (record: JsonObject) => JsonValue {
  const selection = parseFields(fields, () => true);
  return (record) => project(record, selection);
}

/** Selections of fields that the records have: members and nested members, alone and together. */
function selectionsOf({ items }: Sample, random: CheckContext['random']): readonly string[] {
  const pointers = [...new Set(items.flatMap((item) => pointersIn(item)))];
  const nested = pointers.filter((pointer) => pointer.indexOf('/', 1) > 0);
  const all = random.some(pointers, pointers.length, pointers.length);
  const [first = '', second = first] = all;
  return [first, ...nested.slice(0, 2), `${first},${second}`, all.slice(0, 4).join(',')]
    .filter((fields) => fields !== '')
    .slice(0, MAX_SELECTIONS);
}

/** Pointers to members, and to the members of objects in them. */
function pointersIn(record: JsonObject, above: readonly string[] = []): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const path = [...above, name];
    const isDeeper = typeof value === 'object' && value !== null && !Array.isArray(value) && path.length < 3;
    return [formatPointer(path), ...(isDeeper ? pointersIn(value as JsonObject, path) : [])];
  });
}

/** Fields that are malformed, or not in the representation. */
export const fieldsRefusals: Check = {
  name: 'reads.fields.refusals',
  level: 'reads',
  requirements: ['err.http.type.invalid-fields', OF_REPRESENTATION],
  needs: ['token'],
  async run(context) {
    const { http, tokens } = context;
    for (const { resource } of await samplesOf(context)) {
      for (const { media_type: mediaType } of resource.representations) {
        const isOther = mediaType !== JSON_MEDIA_TYPE;
        for (const fields of ['/no-such-field', 'no-slash', '/id,/no-such-field']) {
          const response = await http.get(listUrl(resource, { fields }), {
            token: tokens.main,
            ...(isOther && { headers: { Accept: mediaType } }),
          });
          judgeRefusal(context, [OF_REPRESENTATION], response, 'invalid-fields', `The fields ${fields}`);
        }
      }
    }
  },
};
