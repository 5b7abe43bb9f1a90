import * as fc from 'fast-check';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

const isContainer = (value: Json): value is Json[] | { [member: string]: Json } =>
  typeof value === 'object' && value !== null;

/** Every place in a document: its holder and the key in it, the root first. */
function places(holder: { root: Json }): { holder: Record<string, Json>; key: string }[] {
  const found = [{ holder: holder as Record<string, Json>, key: 'root' }];
  for (const { holder, key } of found) {
    const value = holder[key];
    if (value === undefined || !isContainer(value)) continue;
    for (const inner of Object.keys(value)) found.push({ holder: value as Record<string, Json>, key: inner });
  }
  return found;
}

/** Names and texts that have a meaning somewhere, or break something somewhere. */
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  '/',
  '/a~1b',
  '/a~2',
  '$and',
  '$not',
  '$ref',
  'eq',
  'id',
  'type',
  'x:y',
  'a',
  'é',
  'retry_after_ms',
  'subscription_id',
  'detail',
];
const CHARACTERS = [
  '',
  ' ',
  '%',
  '%2',
  '%41',
  '{',
  '}',
  '{id}',
  '{?a.b}',
  '@',
  '[',
  ']',
  ':',
  '/',
  '//',
  '?',
  '#',
  '#x#',
  '"',
  '\\',
  '\n',
  '\u0000',
  '~',
  '~1',
  '~2',
  'é',
  '\u{1F9ED}',
  'A',
  '0',
  '-',
  '_',
  '.',
];
const NUMBERS = [
  -1,
  0,
  0.5,
  1,
  99,
  100,
  400,
  503,
  599,
  600,
  999,
  1000,
  1001,
  2 ** 53 - 1,
  2 ** 53,
  1e300,
  -0,
];

const name = fc.constantFrom(...NAMES);
const scalar = fc.oneof(
  fc.constantFrom<Json>(...NUMBERS),
  fc.constantFrom<Json>(
    '',
    'json',
    'e',
    'oauth2',
    'create',
    'error',
    'https://a.example',
    'wss://a.example',
    '2026-02-29T00:00:00Z',
    '2024-02-29T00:00:00+09:00',
    '2026-12-31T23:59:60Z',
    '2026-08-13 10:00:00+0900',
    'https://',
    'https://u:p@a.example:99999/',
    'https://[v1.a]/{id}',
  ),
  fc.constantFrom<Json>(null, true, false),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(name, scalar, { maxKeys: 2 }),
  fc.constantFrom<Json>([], {}, [{}], [[]]),
  // Objects that cannot be compared, printed or measured as others can.
  fc.constantFrom<Json>({ toString: 1 }, { length: { toString: 1 } }, { length: 1e9 }, { valueOf: null }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

type Mutation = (holder: Record<string, Json>, key: string) => void;

/** A copy as an own member of any name. */
const put = (holder: Json, key: string, value: Json): void => {
  Object.defineProperty(holder, key, {
    value: structuredClone(value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
};

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Mutation>(drop) },
  { weight: 3, arbitrary: fc.tuple(name, value).map(([other, value]): Mutation => add(other, value)) },
  { weight: 2, arbitrary: name.map((other): Mutation => rename(other)) },
  {
    weight: 4,
    arbitrary: value.map(
      (value): Mutation =>
        (holder, key) =>
          put(holder, key, value),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(400), fc.constantFrom(...CHARACTERS), fc.boolean())
      .map(([at, text, over]): Mutation => edit(at, text, over)),
  },
  { weight: 2, arbitrary: fc.constant<Mutation>(empty) },
  { weight: 3, arbitrary: fc.constantFrom(-1, 1, 0.5, 1e6, -1e6).map((by): Mutation => shift(by)) },
  { weight: 2, arbitrary: fc.nat(10).map((from): Mutation => repeat(from)) },
  { weight: 3, arbitrary: fc.nat(10).map((from): Mutation => copySibling(from)) },
);

function drop(holder: Record<string, Json>, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (key !== 'root') Reflect.deleteProperty(holder, key);
}

/** The least value of the same type. */
function empty(holder: Record<string, Json>, key: string): void {
  const value = holder[key];
  if (Array.isArray(value)) holder[key] = [];
  else if (typeof value === 'string') holder[key] = '';
  else if (typeof value === 'number') holder[key] = 0;
  else if (value !== undefined && isContainer(value)) holder[key] = {};
}

function add(other: string, value: Json): Mutation {
  return (holder, key) => {
    const place = holder[key];
    if (Array.isArray(place)) place.push(structuredClone(value));
    else if (place !== undefined && isContainer(place)) put(place, other, value);
  };
}

function rename(other: string): Mutation {
  return (holder, key) => {
    const value = holder[key];
    if (value === undefined || Array.isArray(holder) || key === 'root') return;
    Reflect.deleteProperty(holder, key);
    put(holder, other, value);
  };
}

function edit(at: number, text: string, over: boolean): Mutation {
  return (holder, key) => {
    const value = holder[key];
    if (typeof value !== 'string') return;
    const position = at % (value.length + 1);
    holder[key] = value.slice(0, position) + text + value.slice(over ? position + 1 : position);
  };
}

function shift(by: number): Mutation {
  return (holder, key) => {
    const value = holder[key];
    if (typeof value === 'number') holder[key] = value + by;
    else if (typeof value === 'boolean') holder[key] = !value;
  };
}

/** An item of a list once more; an object's value under another of its names. */
function repeat(from: number): Mutation {
  return (holder, key) => {
    const value = holder[key];
    if (Array.isArray(value) && value.length > 0)
      value.push(structuredClone(value[from % value.length] ?? null));
  };
}

/** The value of another member of the same holder: the right type at the wrong place. */
function copySibling(from: number): Mutation {
  return (holder, key) => {
    const names = Object.keys(holder);
    const other = holder[names[from % names.length] ?? key];
    if (other !== undefined) put(holder, key, other);
  };
}

/** A small recipe for a mutant: which document, and one to three changes to it. */
export interface Mutant {
  readonly document: unknown;
  readonly changes: readonly (readonly [place: number, mutation: Mutation])[];
}

export const mutants = (documents: readonly unknown[]): fc.Arbitrary<Mutant> =>
  fc.record({
    document: fc.constantFrom(...documents),
    changes: fc.array(fc.tuple(fc.nat(), mutation), { minLength: 1, maxLength: 3 }),
  });

/** A changed copy of the document. */
export function mutate({ document, changes }: Mutant): unknown {
  const holder = { root: JSON.parse(JSON.stringify(document)) as Json };
  for (const [index, change] of changes) {
    const all = places(holder);
    const place = all[index % all.length];
    if (place !== undefined) change(place.holder, place.key);
  }
  return holder.root;
}
