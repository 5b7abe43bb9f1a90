import { fieldTypes } from '../definition/schema/field-types.ts';
import type { FilterOperator } from '../query/filter/operator-names.ts';
import { bundleSchema } from '../schema/bundle-schema.ts';
import type { JsonSchema } from '../schema/graph/json-schema.ts';
import { createSchemaGraph, type SchemaGraph } from '../schema/graph/schema-graph.ts';
import { parseTrustedJson } from '../text/json.ts';
import type { AnyDiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import { JSON_MEDIA_TYPE, type Resource } from '../wire/discovery/resource-model.ts';
import { operandOf, SCALARS } from './filter-schema.ts';
import { comment, memberName, pascalCase, quoted, TypePrinter, unionOf } from './type-printer.ts';

interface Context {
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly graph: SchemaGraph;
  readonly printer: TypePrinter;
}

/**
 * The types of an implementation as a TypeScript module that imports nothing: one for each record and for each event's data, and one for
 * the whole implementation, named after its id, for `connect<Observatory>(url, ...)` of rostack-client. Rules of JSON Schema that types
 * cannot express (formats, limits, conditions) are left out.
 * @param schemas by URL: those that discovery advertises, and all that they refer to
 * @param source where they come from, for the comment at the top
 */
export function typeScriptOf(
  discovery: AnyDiscoveryDocument,
  schemas: ReadonlyMap<string, JsonSchema>,
  source: string = discovery.endpoints.discovery,
): string {
  const { implementation, resources } = discovery;
  const name = pascalCase(implementation.id);
  // The graph would take an object that is in several places for one node; each place gets a copy.
  const copies = new Map(
    Array.from(schemas, ([url, schema]) => [url, parseTrustedJson(JSON.stringify(schema)) as JsonSchema]),
  );
  const graph = createSchemaGraph(copies);
  const context = { schemas, graph, printer: new TypePrinter(graph, [name]) };
  const members = resources.map((resource) => printResource(context, resource));
  const head = comment(
    `Types of ${implementation.name}, API version ${implementation.api_version}, as ${source} describes them.\nWritten by \`rostack types\`: write them again instead of changing them.`,
    '',
  );
  const whole = [
    comment(
      `What ${implementation.name} serves, by resource, for \`connect<${name}>(url, credentials)\`.`,
      '',
    ),
    `export interface ${name} {\n`,
    "  readonly '~types'?:\n    | {\n",
    ...members.map((member) => `${indented(member, '        ')}\n`),
    '      }\n    | undefined;\n}',
  ].join('');
  return `${[head.trimEnd(), ...context.printer.declarations, whole].join('\n\n')}\n`;
}

function printResource(context: Context, resource: Resource): string {
  const { name, description, representations, events, filtering } = resource;
  const json = representations.find(({ media_type: type }) => type === JSON_MEDIA_TYPE);
  const record = json === undefined ? 'object' : typeOf(context, json.schema_url, `${name}-record`);
  const schema = json === undefined ? {} : bundleSchema(json.schema_url, context.schemas);
  const fields = Object.entries(filtering.filterable_fields).map(
    ([pointer, operators]) =>
      `readonly ${quoted(pointer)}: ${block(operators.map((operator) => comparison(operator, schema, pointer)))};`,
  );
  const printedEvents = events.map(
    ({ name: event, state_transition: transition, schema_url: url }) =>
      `readonly ${quoted(event)}: { readonly transition: ${quoted(transition)}; readonly data: ${dataOf(context, url, event)} };`,
  );
  const others = representations
    .filter(({ media_type: type }) => type !== JSON_MEDIA_TYPE)
    .map(
      ({ media_type: type, schema_url: url }) =>
        `readonly ${quoted(type)}: { readonly from: ${record}; readonly to: ${typeOf(context, url, `${name}-${type.replace(/^[^/]*\//, '')}`)} };`,
    );
  const body = [
    `readonly record: ${record};`,
    `readonly shown: ${record};`,
    `readonly filterable: ${block(fields)};`,
    `readonly sortable: ${unionOf(filtering.sortable_fields.map(quoted))};`,
    `readonly events: ${block(printedEvents)};`,
    `readonly representations: ${block(others)};`,
  ];
  const text = description === undefined ? '' : comment(description, '');
  return `${text}readonly ${memberName(name)}: ${block(body)};`;
}

function typeOf({ graph, printer }: Context, url: string, name: string): string {
  const root = graph.root(url);
  return root === undefined ? 'unknown' : printer.nameOf(root, name);
}

/** Events without data have a schema that refuses every value. */
function dataOf(context: Context, url: string, event: string): string {
  const root = context.graph.root(url);
  const { not } = typeof root?.schema === 'object' ? root.schema : {};
  const isNothing = typeof not === 'object' && not !== null && Object.keys(not).length === 0;
  return isNothing ? 'undefined' : typeOf(context, url, `${event}-data`);
}

/** An operator with the type of its operand. */
function comparison(operator: FilterOperator, schema: JsonSchema, pointer: string): string {
  const { scalars, isScalar, isList } = operandOf(operator, fieldTypes(schema, pointer) ?? new Set(SCALARS));
  const scalar = unionOf(scalars);
  const list = scalars.length === 1 ? `readonly ${scalar}[]` : `readonly (${scalar})[]`;
  const types = [...(isScalar ? [scalar] : []), ...(isList ? [list] : [])];
  return `readonly ${operator}?: ${unionOf(types)};`;
}

const block = (lines: readonly string[]): string =>
  lines.length === 0 ? '{}' : `{\n${lines.map((line) => indented(line, '  ')).join('\n')}\n}`;

const indented = (text: string, indent: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
