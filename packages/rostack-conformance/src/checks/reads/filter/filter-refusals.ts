import { FILTER_OPERATOR_NAMES, type FilterOperator, type ProblemSlug, type Resource } from 'rostack-core';
import type { Check } from '../../../check/check.ts';
import type { CheckContext } from '../../../check/check-context.ts';
import { listUrl } from '../../../probe/place/urls.ts';
import { judgeRefusal } from '../sample/judge-refusal.ts';

import { samplesOf } from '../sample/sample.ts';

/** A filter that has to be refused. */
interface Refused {
  /** What is wrong with it. */
  readonly what: string;
  /** Its text, as sent. */
  readonly text: string;
  readonly slug: ProblemSlug;
  /** The requirements that accepting it breaks. */
  readonly ids: readonly string[];
}

const INVALID = 'err.http.type.invalid-filter';
const UNSUPPORTED = 'err.http.type.unsupported-filter';
const MEMBERS = 'release.bounds.filter-members';
const OPERANDS = 'release.bounds.operands';

/** Filters that are malformed, or not advertised, are refused as such. */
export const filterRefusals: Check = {
  name: 'reads.filter.refusals',
  level: 'reads',
  requirements: [
    INVALID,
    UNSUPPORTED,
    MEMBERS,
    OPERANDS,
    'json.query.filter',
    'filter.object',
    'filter.fields',
    'filter.and',
    'filter.or',
    'filter.not',
    'filter.nothing-else',
    'filter.advertised-only',
    'filter.rule.field_pointer',
    'filter.rule.scalar_operand',
    'filter.rule.unique_members',
    'filter.rule.exact_numbers',
    'filter.rule.whole_characters',
    'filter.rule.limits',
    'release.filter-operands',
    'decided.json.twice',
    'decided.json.numbers',
    'decided.filter-limits',
    'decided.pointers',
  ],
  needs: ['token'],
  async run(context) {
    for (const { resource } of await samplesOf(context)) {
      const field = anyField(resource);
      const cases = [
        ...MALFORMED,
        ...(field === undefined ? [] : [...malformedOn(field), ...malformedOperands(resource)]),
        ...(field === undefined || context.release === '2026-08-12' ? [] : ofNewerRelease(field)),
        ...notAdvertised(context, resource),
      ];
      for (const each of cases) await tryRefused(context, resource, each);
    }
  },
};

/** Servers and proxies may refuse a longer URL before anyone reads its filter: some from 8 kB on. */
const LONG_URL = 4_000;
/** The statuses with which they do. */
const TOO_LONG: ReadonlySet<number> = new Set([400, 414, 431]);

async function tryRefused(
  context: CheckContext,
  resource: Resource,
  { what, text, slug, ids }: Refused,
): Promise<void> {
  const url = listUrl(resource, { filter: text });
  const response = await context.http.get(url, { token: context.tokens.main });
  if (url.length > LONG_URL && TOO_LONG.has(response.status) && !response.text.includes(slug)) {
    for (const id of ids) context.findings.skip(id, 'the target takes no URL as long as the filter needs');
    return;
  }
  judgeRefusal(context, ids, response, slug, `${what}, such as ${shown(text)},`);
}

const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** A field with an operator that it supports. */
interface AdvertisedUse {
  readonly pointer: string;
  readonly operator: FilterOperator;
}

function anyField({ filtering }: Resource, among?: readonly FilterOperator[]): AdvertisedUse | undefined {
  for (const [pointer, operators] of Object.entries(filtering.filterable_fields)) {
    const operator = operators.find((name) => among === undefined || among.includes(name));
    if (operator !== undefined) return { pointer, operator };
  }
  return undefined;
}

const invalid = (what: string, filter: unknown, ...ids: string[]): Refused => ({
  what,
  text: typeof filter === 'string' ? filter : JSON.stringify(filter),
  slug: 'invalid-filter',
  ids,
});

/** Malformed, no matter what the resource advertises. */
const MALFORMED: readonly Refused[] = [
  invalid('A text that is not JSON', '{"/id":', 'json.query.filter'),
  invalid('An empty text', '', 'json.query.filter'),
  invalid('A number', '1', 'filter.object'),
  invalid('null', 'null', 'filter.object'),
  invalid('An array', '[]', 'filter.object'),
  invalid('A filter without members', '{}', MEMBERS),
  invalid('A field without a slash', { id: { exists: true } }, 'filter.fields'),
  invalid('An empty $and', { $and: [] }, 'filter.and'),
  invalid('An object of $and', { $and: {} }, 'filter.and'),
  invalid('An empty filter in $and', { $and: [{}] }, MEMBERS),
  invalid('An empty $or', { $or: [] }, 'filter.or'),
  invalid('An array of $not', { $not: [] }, 'filter.not'),
  invalid('An empty filter in $not', { $not: {} }, MEMBERS),
  invalid(
    'A combination that does not exist',
    { $nor: [{ '/id': { exists: true } }] },
    'filter.nothing-else',
  ),
];

function malformedOn({ pointer, operator }: AdvertisedUse): readonly Refused[] {
  const name = JSON.stringify(pointer);
  const operand = operandOf(operator);
  const one = { [pointer]: { [operator]: operand } };
  const nested = (depth: number): unknown => (depth === 0 ? one : { $not: nested(depth - 1) });
  return [
    invalid('A field without operators', { [pointer]: {} }, MEMBERS),
    invalid('A field with a value', { [pointer]: 'a' }, 'filter.nothing-else'),
    invalid('An operator that does not exist', { [pointer]: { like: 'a' } }, 'filter.nothing-else'),
    invalid('An operator in capitals', { [pointer]: { EQ: 'a' } }, 'filter.nothing-else'),
    invalid(
      'A member that comes twice',
      `{${name}:{"${operator}":${JSON.stringify(operand)},"${operator}":${JSON.stringify(operand)}}}`,
      'filter.rule.unique_members',
      'decided.json.twice',
    ),
    invalid(
      'A pointer with a wrong escape',
      { [`${pointer}~2`]: { [operator]: operand } },
      'filter.rule.field_pointer',
    ),
    invalid('A depth of 24', nested(24), 'filter.rule.limits', 'decided.filter-limits'),
    invalid(
      '300 comparisons',
      { $or: Array.from({ length: 300 }, () => one) },
      'filter.rule.limits',
      'decided.filter-limits',
    ),
  ];
}

/** Operands of a kind that the operator does not accept, if a field advertises the operator. */
function malformedOperands(resource: Resource): readonly Refused[] {
  const wrong: readonly (readonly [FilterOperator, unknown])[] = [
    ['in', 'a'],
    ['nin', 1],
    ['starts_with', 1],
    ['ends_with', null],
    ['exists', 'true'],
  ];
  const refused = wrong.flatMap(([operator, operand]) => {
    const field = anyField(resource, [operator]);
    if (field === undefined) return [];
    return [
      invalid(
        `${JSON.stringify(operand)} for ${operator}`,
        { [field.pointer]: { [operator]: operand } },
        OPERANDS,
      ),
    ];
  });
  const equal = anyField(resource, ['eq', 'ne']);
  if (equal === undefined) return refused;
  const { operator } = equal;
  const name = JSON.stringify(equal.pointer);
  return [
    ...refused,
    invalid(
      'A number that a double does not keep',
      `{${name}:{"${operator}":9007199254740993}}`,
      'filter.rule.exact_numbers',
      'decided.json.numbers',
    ),
    invalid(
      'Half of a surrogate pair',
      `{${name}:{"${operator}":"\\ud800"}}`,
      'filter.rule.whole_characters',
    ),
  ];
}

/** Only for newer releases: in 2026-08-12 operands may be of any type. */
function ofNewerRelease({ pointer }: AdvertisedUse): readonly Refused[] {
  const ids = ['release.filter-operands', 'filter.rule.scalar_operand'];
  return [
    invalid('An object for an operand', { [pointer]: { eq: { a: 1 } } }, ...ids),
    invalid('An array in an array for an operand', { [pointer]: { eq: [['a']] } }, ...ids),
  ];
}

/** Well-formed filters on what the resource does not advertise. */
function notAdvertised({ discovery }: CheckContext, resource: Resource): readonly Refused[] {
  const unsupported = (
    what: string,
    pointer: string,
    operator: FilterOperator,
    ...ids: string[]
  ): Refused => ({
    what,
    text: JSON.stringify({ [pointer]: { [operator]: operandOf(operator) } }),
    slug: 'unsupported-filter',
    ids,
  });
  const fields = resource.filtering.filterable_fields;
  const all = discovery.capabilities.filter_operators;
  const lacking = Object.entries(fields).flatMap(([pointer, operators]) =>
    FILTER_OPERATOR_NAMES.filter((name) => !operators.includes(name) || !all.includes(name)).map(
      (operator) => ({ pointer, operator }),
    ),
  );
  const operator = all[0] ?? 'eq';
  const names = ['/__proto__', '/constructor', '/no-such-field'].filter(
    (pointer) => !Object.hasOwn(fields, pointer),
  );
  return [
    ...names.map((pointer) =>
      unsupported(
        'A field that is not advertised',
        pointer,
        operator,
        'filter.advertised-only',
        ...(pointer === '/no-such-field' ? [] : ['decided.pointers']),
      ),
    ),
    ...lacking
      .slice(0, 3)
      .map((use) =>
        unsupported(
          'An operator that the field does not take',
          use.pointer,
          use.operator,
          'filter.advertised-only',
        ),
      ),
  ];
}

/** An operand that the operator accepts. */
function operandOf(operator: FilterOperator): unknown {
  if (operator === 'exists') return true;
  return operator === 'in' || operator === 'nin' ? ['a'] : 'a';
}
