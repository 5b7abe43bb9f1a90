import {
  auditSchemas,
  type JsonSchema,
  type Resource,
  type SchemaFinding,
  type SchemaFindingKind,
} from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import type { ProbeResponse } from '../../probe/http/http-probe.ts';
import { describeAnswer } from '../../probe/judge-problem.ts';
import { isSchemaObject, readSchemas } from '../../probe/place/read-schemas.ts';

const PUBLIC = 'discovery.schemas.public';
const OWNED = 'release.owned-schemas';
const CLOSED = 'discovery.schemas.closed';
const DEEP = 'discovery.schemas.not-root-alone';

/** The requirement that each kind of finding breaks. */
const BROKEN: Readonly<Record<SchemaFindingKind, string>> = {
  open_object: CLOSED,
  unresolved_reference: 'discovery.schemas.closed.references',
  schema_valued_closure: 'discovery.schemas.only-false',
  unbounded_name_pattern: 'discovery.schemas.name-patterns',
  id_differs_from_url: 'discovery.schemas.id',
  wrong_dialect: 'discovery.schemas.dialect',
  url_under_specification: 'discovery.schemas.own-place',
};

/** The requirements that an open object breaks in addition, by the keywords that lead to it. */
const PARTS: readonly (readonly [id: string, keyword: RegExp])[] = [
  ['discovery.schemas.closed.references', /\/(?:\$defs|definitions)\//],
  ['discovery.schemas.closed.dynamic-references', /\$dynamic(?:Ref|Anchor)/],
  ['discovery.schemas.closed.combinators', /\/(?:allOf|anyOf|oneOf)\//],
  ['discovery.schemas.closed.conditionals', /\/(?:if|then|else)\b/],
];

/** Parts that a schema must have for a requirement to be judged. */
const PRESENT: Readonly<Record<string, RegExp>> = {
  'discovery.schemas.closed.references': /"\$ref":/,
  'discovery.schemas.closed.dynamic-references': /"\$dynamicRef":/,
  'discovery.schemas.closed.combinators': /"(?:allOf|anyOf|oneOf)":/,
  'discovery.schemas.closed.conditionals': /"if":/,
  'discovery.schemas.name-patterns': /"patternProperties":/,
  [DEEP]: /"(?:properties|items|\$defs)":/,
};

/** Every schema that discovery advertises and all that it refers to: served to everyone, and closed everywhere. */
export const schemas: Check = {
  name: 'speaks.schemas',
  level: 'speaks',
  requirements: [PUBLIC, OWNED, DEEP, ...new Set([...Object.values(BROKEN), ...PARTS.map(([id]) => id)])],
  needs: [],
  async run(context) {
    const { discovery, findings, release } = context;
    const advertised = [...new Set(discovery.resources.flatMap(schemaUrls))];
    const answers = await readSchemas(context, advertised, (url, { message }) => {
      if (!advertised.includes(url)) return;
      findings.fail(PUBLIC, { expected: `The schema at ${url} is served.`, got: `${message}.` });
    });
    const found = new Map<string, JsonSchema>();
    for (const [url, answer] of answers) {
      if (answer.status === 200 && isSchemaObject(answer.json)) found.set(url, answer.json);
      if (!advertised.includes(url)) continue;
      findings.judge(PUBLIC, answer.status === 200 && isSchemaObject(answer.json), () => ({
        expected: 'The schema at every schema_url is served without credentials.',
        got: describeAnswer(answer),
        exchange: answer.exchange,
      }));
    }
    if (release === '2026-08-12') {
      findings.note(OWNED, 'release 2026-08-12 leaves owned schemas open');
      return;
    }
    const owned = new Map([...found].filter(([url]) => advertised.includes(url)));
    if (owned.size === 0) return;
    judgeOwned(context, found, answers);
  },
};

const schemaUrls = ({ representations, events }: Resource): string[] =>
  [...representations, ...events].map(({ schema_url }) => schema_url);

function judgeOwned(
  { findings }: CheckContext,
  found: ReadonlyMap<string, JsonSchema>,
  answers: ReadonlyMap<string, ProbeResponse>,
): void {
  const broken = new Map<string, SchemaFinding>();
  for (const finding of auditSchemas(found)) {
    for (const id of requirementsOf(finding)) if (!broken.has(id)) broken.set(id, finding);
  }
  const text = JSON.stringify([...found.values()]);
  for (const id of schemas.requirements) {
    if (id === PUBLIC) continue;
    const finding = broken.get(id);
    if (finding === undefined && PRESENT[id]?.test(text) === false)
      findings.skip(id, 'not claimed: no schema has such a part');
    else {
      findings.judge(id, finding === undefined, () => ({
        expected: 'Owned schemas are closed in every place, and bear the URL that they are advertised at.',
        got: finding === undefined ? '' : `${finding.url}#${finding.path} ${finding.message}.`,
        exchange: answers.get(finding?.url ?? '')?.exchange,
      }));
    }
  }
}

function requirementsOf({ kind, path }: SchemaFinding): readonly string[] {
  const parts =
    kind === 'open_object' ? PARTS.filter(([, keyword]) => keyword.test(path)).map(([id]) => id) : [];
  const isDeep = kind === 'open_object' && path !== '';
  return [BROKEN[kind], OWNED, ...parts, ...(isDeep ? [DEEP] : [])];
}
