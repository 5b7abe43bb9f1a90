import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Check,
  CLOSE_CODES,
  DISCOVERY_CHECKS,
  FILTER_OPERATOR_NAMES,
  FILTER_RULES,
  PROBLEM_CHECKS,
  PROBLEM_SLUGS,
  type Release,
  releaseSchemas,
  SERVER_MESSAGE_CHECKS,
  RELEASES as SPOKEN_RELEASES,
  WEBSOCKET_ERROR_CODES,
} from '../packages/rostack-core/src/index.ts';
import { MATRIX, renderMatrix } from '../scripts/conformance/render-matrix.ts';
import { renderProtocol } from '../scripts/protocol/render-protocol.ts';
import {
  checksByRequirement,
  renderRequirements,
  requirementsFile,
} from '../scripts/protocol/render-requirements.ts';
import {
  LEVELS,
  PARTIES,
  RELEASES,
  type Requirement,
  readSections,
} from '../scripts/protocol/requirements.ts';
import { testTitles } from '../scripts/test-titles.ts';

type Schema = Readonly<Record<string, unknown>>;

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sections = readSections(root);
const all = sections.flatMap(({ requirements }) => requirements);

test('docs/protocol.md says what the data says; else run `pnpm protocol`', () => {
  expect(read('docs/protocol.md')).toBe(renderProtocol(sections));
});

test.each(RELEASES)(
  'the kit has the requirements of %s as the data says them; else run `pnpm protocol`',
  (release) => {
    expect(read(requirementsFile(release))).toBe(renderRequirements(sections, release));
  },
);

test('each requirement has checks of the kit, or a reason why none can judge it', () => {
  const checks = checksByRequirement();
  const names = ({ id }: Requirement) => checks.get(id) ?? [];
  // What both parties have to keep may be seen of a client and not of a server.
  const ofServer = (requirement: Requirement) =>
    names(requirement).filter((name) => requirement.party !== 'both' || !/^client\b/.test(name));
  const without = all.filter((it) => it.unchecked === undefined && names(it).length === 0);
  const withBoth = all.filter((it) => it.unchecked !== undefined && ofServer(it).length > 0);
  expect(without.map(({ id }) => id)).toEqual([]);
  expect(withBoth.map(({ id }) => id)).toEqual([]);
  const reasons = all.flatMap(({ unchecked }) => unchecked ?? []);
  expect(reasons.filter((reason) => !/^.{10,}\.$/.test(reason))).toEqual([]);
});

test('the matrix of implementations says what their reports say; else run `pnpm protocol`', () => {
  expect(read(MATRIX)).toBe(renderMatrix(root));
});

test('the checks of the kit name requirements that there are', () => {
  const ids = new Set(all.map(({ id }) => id));
  expect([...checksByRequirement().keys()].filter((id) => !ids.has(id))).toEqual([]);
});

describe('the data', () => {
  test('has the shape that its readers expect', () => {
    expect(RELEASES).toEqual(SPOKEN_RELEASES);
    const members = ['id', 'level', 'party', 'releases', 'topic', 'text', 'tests', 'untested', 'unchecked'];
    for (const { name, requirements } of sections) {
      for (const requirement of requirements) {
        const { id, level, party, releases, topic, text } = requirement;
        expect(id).toMatch(/^[a-z]+(?:\.[a-z0-9_-]+)+$/);
        expect(id.split('.')[0]).toBe(name);
        expect(LEVELS).toContain(level);
        expect(PARTIES).toContain(party);
        expect(RELEASES.filter((release) => releases.includes(release))).toEqual(releases);
        expect(releases.length).toBeGreaterThan(0);
        expect(topic).not.toBe('');
        expect([id, text]).toEqual([id, expect.stringMatching(/^.{5,}\.$/)]);
        expect(Object.keys(requirement).filter((member) => !members.includes(member))).toEqual([]);
      }
    }
  });

  test('has no id twice', () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('has a test or a reason for each requirement, and not both', () => {
    const wrong = all.filter(({ tests, untested }) => tests.length > 0 === (untested !== undefined));
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('cites tests that are there, each by a title that means one', () => {
    const titles = new Map<string, string[]>();
    const titlesOf = (file: string): string[] => {
      const known = titles.get(file) ?? testTitles(read(file), file).map((path) => path.join(' > '));
      titles.set(file, known);
      return known;
    };
    const wrong = all.flatMap(({ id, tests }) =>
      tests.flatMap(({ file, test: title, case: row, table = file }) => {
        if (!existsSync(join(root, file)) || !existsSync(join(root, table))) return [`${id}: no ${file}`];
        const found = titlesOf(file).filter((path) => path === title || path.endsWith(` > ${title}`));
        if (found.length !== 1) return [`${id}: ${found.length} tests named ${title} in ${file}`];
        return row === undefined || read(table).includes(row) ? [] : [`${id}: no ${row} in ${table}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

/** The names of all members of a schema, dotted. */
function membersOf(schema: Schema): Set<string> {
  const found = new Set<string>();
  const definitions = (schema['$defs'] ?? {}) as Readonly<Record<string, Schema>>;
  const visit = (node: Schema | undefined, at: readonly string[]): void => {
    if (node === undefined) return;
    const reference = node['$ref'];
    if (typeof reference === 'string') visit(definitions[reference.split('/').at(-1) ?? ''], at);
    for (const [name, member] of Object.entries((node['properties'] ?? {}) as Record<string, Schema>)) {
      found.add([...at, name].join('.'));
      visit(member, [...at, name]);
    }
    visit(node['items'] as Schema | undefined, at);
    for (const keyword of ['oneOf', 'anyOf', 'allOf'])
      for (const branch of (node[keyword] ?? []) as readonly Schema[]) visit(branch, at);
  };
  visit(schema, []);
  return found;
}

const membersIn = (file: string, release: Release): Set<string> =>
  membersOf(releaseSchemas(release).get(`${file}.schema.json`) ?? {});

/** The `type` of every message in the schema of a release. */
function messageTypes(release: Release): string[] {
  const schema = JSON.stringify(releaseSchemas(release).get('websocket-message.schema.json'));
  return [...schema.matchAll(/"type":\{[^{}]*"const":"(\w+)"/g)].map(([, type]) => type ?? '');
}

const names = <T extends string>(list: readonly T[], releases: readonly Release[]) =>
  new Map(list.map((name) => [name, releases]));

const inReleases = (of: (release: Release) => Iterable<string>): Map<string, readonly Release[]> => {
  const known = new Set(SPOKEN_RELEASES.flatMap((release) => [...of(release)]));
  return new Map(
    [...known].map((name) => [name, SPOKEN_RELEASES.filter((release) => new Set(of(release)).has(name))]),
  );
};

const rulesIn = (checks: readonly Check[]) =>
  inReleases((release) =>
    checks.filter(({ releases }) => releases.includes(release)).map(({ name }) => name),
  );

describe('what the models know has a requirement each, of its releases', () => {
  test.each<[string, Map<string, readonly string[]>]>([
    ['err.http.type', names(PROBLEM_SLUGS, SPOKEN_RELEASES)],
    ['err.ws.code', names(WEBSOCKET_ERROR_CODES, SPOKEN_RELEASES)],
    ['ws.close', names(Object.values(CLOSE_CODES).map(String), SPOKEN_RELEASES)],
    ['filter.operator', names(FILTER_OPERATOR_NAMES, SPOKEN_RELEASES)],
    ['ws.message', inReleases(messageTypes)],
    ['discovery.member', inReleases((release) => membersIn('discovery', release))],
    ['discovery.rule', rulesIn(DISCOVERY_CHECKS)],
    ['filter.rule', names(Object.keys(FILTER_RULES), SPOKEN_RELEASES)],
    ['ws.rule', rulesIn(SERVER_MESSAGE_CHECKS)],
    ['err.http.rule', rulesIn(PROBLEM_CHECKS)],
    ['err.http.member', inReleases((release) => membersIn('problem', release))],
  ])('%s', (prefix, known) => {
    const rows = all.filter(({ id }) => id.startsWith(`${prefix}.`));
    const found = rows.map(({ id, releases }) => [id.slice(prefix.length + 1), releases]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known));
    expect(known.size).toBeGreaterThan(1);
  });
});

test('titles are read as they are written, with their suites, tables and conditions', () => {
  const source = `
    describe('a', () => {
      test.each<[string]>([['x']])('is %s', () => {});
      describe.skipIf(no)(\`b \${C}\`, () => { it('c', { timeout: 1 }, () => { test.fails; expect('d'); }); });
    });
    test.for([1])("e's", () => {});
    suite('f', () => test(name, () => {}));
    // test('g', () => {});
    const text = "test('h')";
  `;
  expect(testTitles(source, 'a.test.ts')).toEqual([['a', 'is %s'], ['a', 'b ${C}', 'c'], ["e's"]]);
});
