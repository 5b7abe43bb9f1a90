import {
  compileFilter,
  type Filter,
  type FilterComparison,
  type JsonValue,
  resolvePointer,
} from 'rostack-core';
import type { Mutant } from '../mutant.ts';
import { asked, membersOf, parameterOf, renamed, withQuery } from './answers.ts';
import { asText, misread, paged, rightOrder } from './sources.ts';

const nothing = (comparison: FilterComparison): Filter => ({
  kind: 'and',
  filters: [comparison, { kind: 'not', filter: comparison }],
});
const everything = (comparison: FilterComparison): Filter => ({ kind: 'not', filter: nothing(comparison) });
const onlyThere = (comparison: FilterComparison): Filter => ({
  kind: 'and',
  filters: [
    comparison,
    {
      kind: 'comparison',
      pointer: comparison.pointer,
      path: comparison.path,
      operator: 'exists',
      operand: true,
    },
  ],
});

/** A comparison that also takes a number for its text. */
function loose(comparison: FilterComparison): Filter {
  const { operand, collation } = comparison;
  if (collation !== undefined || (typeof operand !== 'string' && typeof operand !== 'number'))
    return comparison;
  const other = typeof operand === 'string' ? Number(operand) : String(operand);
  return { kind: 'or', filters: [comparison, { ...comparison, operand: other }] };
}

/** Evaluates some comparisons in another way. */
const evaluated = (
  override: (comparison: FilterComparison, value: JsonValue | undefined) => boolean | undefined,
): NonNullable<Mutant['source']> => {
  const matches = (filter: Filter): ((record: JsonValue) => boolean) => {
    if (filter.kind === 'not') {
      const inner = matches(filter.filter);
      return (record) => !inner(record);
    }
    if (filter.kind !== 'comparison') {
      const parts = filter.filters.map(matches);
      return (record) =>
        filter.kind === 'and' ? parts.every((part) => part(record)) : parts.some((part) => part(record));
    }
    const right = compileFilter(filter);
    return (record) => override(filter, resolvePointer(record, filter.path)) ?? right(record);
  };
  return paged(rightOrder, ({ filter }) => filter && matches(filter));
};

const byUnits = evaluated(({ operator, operand, collation }, value) => {
  if (typeof value !== 'string' || typeof operand !== 'string' || collation !== undefined) return undefined;
  if (operator === 'gt') return value > operand;
  if (operator === 'gte') return value >= operand;
  if (operator === 'lt') return value < operand;
  return operator === 'lte' ? value <= operand : undefined;
});

const withoutCase = evaluated(({ operator, operand }, value) => {
  if (typeof value !== 'string' || typeof operand !== 'string') return undefined;
  const [text, part] = [value.toLowerCase(), operand.toLowerCase()];
  if (operator === 'contains') return text.includes(part);
  if (operator === 'starts_with') return text.startsWith(part);
  return operator === 'ends_with' ? text.endsWith(part) : undefined;
});

const nullIsZero = evaluated(({ operator, operand }, value) => {
  if (value !== null || typeof operand !== 'number') return undefined;
  if (operator === 'gt' || operator === 'gte') return operand < 0;
  return operator === 'lt' || operator === 'lte' ? operand > 0 : undefined;
});

/** Leaves filters out whose text is meant. */
const taking = (isMeant: (text: string) => boolean): NonNullable<Mutant['answer']> =>
  asked(['list'], (request) =>
    isMeant(parameterOf(request, 'filter') ?? '{"a":1}')
      ? withQuery(request, (parameters) => parameters.delete('filter'))
      : request,
  );

/** Reads filters as other texts. */
const retold = (change: (text: string) => string): NonNullable<Mutant['answer']> =>
  asked(['list'], (request) => {
    const text = parameterOf(request, 'filter');
    return text === undefined
      ? request
      : withQuery(request, (parameters) => parameters.set('filter', change(text)));
  });

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The first or the last entry of an object alone; another value as it is. */
const entryOf = (value: JsonValue | undefined, at: number): JsonValue | undefined => {
  const entries = Object.entries(membersOf(value));
  const entry = entries.at(at);
  return entries.length > 1 && entry !== undefined ? Object.fromEntries([entry]) : value;
};

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** Faults in filters. */
export const FILTER_MUTANTS: Readonly<Record<string, Mutant>> = {
  'eq matches nothing': {
    fails: ['filter.operator.eq'],
    source: misread(['eq'], (c) => (c.collation !== undefined ? c : nothing(c))),
  },
  'ne matches everything': {
    fails: ['filter.operator.ne'],
    source: misread(['ne'], (c) => (c.collation !== undefined ? c : everything(c))),
  },
  'gt is gte': {
    fails: ['filter.operator.gt'],
    source: misread(['gt'], (c) => (c.collation !== undefined ? c : { ...c, operator: 'gte' })),
  },
  'gte is gt': {
    fails: ['filter.operator.gte'],
    source: misread(['gte'], (c) => (c.collation !== undefined ? c : { ...c, operator: 'gt' })),
  },
  'lt is lte': {
    fails: ['filter.operator.lt'],
    source: misread(['lt'], (c) => (c.collation !== undefined ? c : { ...c, operator: 'lte' })),
  },
  'lte is lt': {
    fails: ['filter.operator.lte'],
    source: misread(['lte'], (c) => (c.collation !== undefined ? c : { ...c, operator: 'lt' })),
  },
  'in matches nothing': {
    fails: ['filter.operator.in'],
    source: misread(['in'], (c) => (c.collation !== undefined ? c : nothing(c))),
  },
  'nin matches everything': {
    fails: ['filter.operator.nin'],
    source: misread(['nin'], (c) => (c.collation !== undefined ? c : everything(c))),
  },
  'contains matches nothing': { fails: ['filter.operator.contains'], source: misread(['contains'], nothing) },
  'starts_with matches nothing': {
    fails: ['filter.operator.starts_with'],
    source: misread(['starts_with'], nothing),
  },
  'ends_with matches nothing': {
    fails: ['filter.operator.ends_with'],
    source: misread(['ends_with'], nothing),
  },
  'exists matches everything': { fails: ['filter.operator.exists'], source: misread(['exists'], everything) },
  'eq converts types': { fails: ['filter.no-conversion'], source: misread(['eq'], loose) },
  'strings compare by code units': { fails: ['filter.code-points'], source: byUnits },
  'case does not count': { fails: ['filter.case'], source: withoutCase },
  'ne and nin skip what is missing': {
    fails: ['decided.missing-field'],
    source: misread(['ne', 'nin'], onlyThere),
  },
  'null is less than numbers': { fails: ['decided.other-types'], source: nullIsZero },
  'decimals compare as texts in filters': {
    fails: ['decided.decimals'],
    source: misread(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'], asText('decimal')),
  },
  'date-times compare as texts in filters': {
    fails: ['decided.instants'],
    source: misread(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'], asText('date-time')),
  },
  '$and is $or': { fails: ['filter.and'], answer: retold((text) => text.replace(/^\{"\$and"/, '{"$or"')) },
  '$or is $and': { fails: ['filter.or'], answer: retold((text) => text.replace(/^\{"\$or"/, '{"$and"')) },
  '$not is left out': {
    fails: ['filter.not'],
    answer: retold((text) => text.replace(/^\{"\$not":(\{"\/.*\})\}$/, '$1')),
  },
  'only the first member of a filter counts': {
    fails: ['filter.object'],
    answer: retold((text) => {
      const value = parsed(text);
      const first = entryOf(value, 0);
      return first === value ? text : JSON.stringify(first);
    }),
  },
  'only the last operator of a field counts': {
    fails: ['filter.operators-anded'],
    answer: retold((text) => {
      const [first, ...others] = Object.entries(membersOf(parsed(text)));
      const [name, operators] = first ?? ['', null];
      const last = entryOf(operators, -1);
      return others.length > 0 || !name.startsWith('/') || last === operators
        ? text
        : JSON.stringify({ [name]: last });
    }),
  },
  'a filter that is no JSON is left out': {
    fails: ['json.query.filter', 'err.http.type.invalid-filter'],
    answer: taking((text) => parsed(text) === undefined),
  },
  'a filter that is no object is left out': {
    fails: ['filter.object'],
    answer: taking((text) => {
      const value = parsed(text);
      return value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value));
    }),
  },
  'empty objects are left out': {
    fails: ['release.bounds.filter-members'],
    answer: taking((text) => {
      const value = parsed(text);
      return isEmptyObject(value) || (/\{\}|\[\{\}\]/.test(text) && !text.includes('"$and":{}'));
    }),
  },
  'operands are not looked at': {
    fails: ['release.bounds.operands'],
    answer: taking((text) => /"(?:in":"|nin":1|starts_with":1|ends_with":null|exists":"true)/.test(text)),
  },
  'a field without a slash is left out': {
    fails: ['filter.fields'],
    answer: taking((text) => text.startsWith('{"id"')),
  },
  'unknown operators are left out': {
    fails: ['filter.nothing-else'],
    answer: taking((text) => /"(?:like|EQ|\$nor)"/.test(text)),
  },
  'unknown fields are left out': {
    fails: ['filter.advertised-only', 'err.http.type.unsupported-filter', 'discovery.authoritative'],
    answer: taking((text) => /^\{"\/(?:no-such-field|rostack-conformance)"/.test(text)),
  },
  'names of prototypes are fields': {
    fails: ['filter.advertised-only', 'decided.pointers'],
    answer: taking((text) => /^\{"\/(?:__proto__|constructor)"/.test(text)),
  },
  'wrong escapes are taken': {
    fails: ['filter.rule.field_pointer'],
    answer: taking((text) => /^\{"\/[^"]*~2"/.test(text)),
  },
  'members may come twice': {
    fails: ['filter.rule.unique_members', 'decided.json.twice'],
    answer: taking(
      (text) =>
        parsed(text) !== undefined &&
        JSON.stringify(parsed(text)).length < text.length - 5 &&
        !text.includes('9007'),
    ),
  },
  'numbers are rounded': {
    fails: ['filter.rule.exact_numbers', 'decided.json.numbers'],
    answer: taking((text) => text.includes('9007199254740993')),
  },
  'half of a surrogate pair is taken': {
    fails: ['filter.rule.whole_characters'],
    answer: taking((text) => text.includes('\\ud800')),
  },
  'there are no limits': {
    fails: ['filter.rule.limits', 'decided.filter-limits'],
    answer: taking((text) => text.startsWith('{"$not":{"$not":{"$not"') || text.length > 2_000),
  },
  'objects are operands': {
    fails: ['filter.rule.scalar_operand', 'release.filter-operands'],
    answer: taking((text) => /"eq":(?:\{"a"|\[\[)/.test(text)),
  },
  'invalid filters are unsupported': {
    fails: ['err.http.type.invalid-filter'],
    answer: renamed('invalid-filter', 'unsupported-filter'),
  },
  'unsupported filters are invalid': {
    fails: ['err.http.type.unsupported-filter', 'filter.advertised-only', 'discovery.authoritative'],
    answer: renamed('unsupported-filter', 'invalid-filter'),
  },
};
