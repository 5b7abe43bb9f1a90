import type { ProposedResource } from './propose-resource.ts';

/** A file to be written. */
export interface ProjectFile {
  /** Path relative to the project's folder. */
  readonly path: string;
  readonly text: string;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  /** Port of the data listener, which uses plain HTTP on loopback. */
  readonly port: number;
  /** `store.url` as YAML; undefined: a SQLite file in the data folder. */
  readonly storeUrl: string | undefined;
  readonly resources: readonly ProposedResource[];
}

/** The variable with the URL of a database: the URL may contain a password, so it is never written into a file. */
export const URL_VARIABLE = 'DATABASE_URL';

/** The configuration and the schemas of a project, as `init --from` and `serve` write them. */
export function projectFiles(project: Project, configFile: string): readonly ProjectFile[] {
  const schemas = project.resources.map(({ name, schema }) => ({
    path: schemaPath(name),
    text: `${JSON.stringify(schema, null, 2)}\n`,
  }));
  return [{ path: configFile, text: configText(project) }, ...schemas];
}

const schemaPath = (resource: string): string => `schemas/${resource}.schema.json`;

function configText({ id, name, port, storeUrl, resources }: Project): string {
  const permissions = resources.flatMap(({ permission, hidden, hiddenPermission, name: resource }) => [
    `  ${text(permission)}: ${text(`Read and follow ${resource}.`)}`,
    ...(hidden.length === 0
      ? []
      : [`  ${text(hiddenPermission)}: ${text(`See all fields of ${resource}.`)}`]),
  ]);
  return `# yaml-language-server: $schema=./rostack-gateway.schema.json
#
# What is published, and how. Nothing here is written again by a command: change it as you like.
# \`rostack-gateway check-config\` finds mistakes; \`rostack-gateway init\` in another folder writes every setting, explained.

identity:
  id: ${text(id)}
  name: ${text(name)}
  # Has to change when consumers would break: a field less, another type.
  api_version: "1"

listeners:
  data:
    host: 127.0.0.1
    port: ${port}
    # Plain HTTP for this computer only. To let others in: { certificate: FILE, key: FILE }, or off behind a proxy.
    tls: loopback
${
  storeUrl === undefined
    ? ''
    : `
store:
${storeUrl}
`
}
permissions:
${permissions.join('\n')}

resources:
${resources.map(resourceText).join('\n')}`;
}

function resourceText(resource: ProposedResource): string {
  const {
    name,
    description,
    id,
    permission,
    source,
    filterable,
    sortable,
    hidden,
    hiddenPermission,
    events,
  } = resource;
  const lines = [
    `  ${text(name)}:`,
    ...(description === undefined ? [] : [`    description: ${text(description)}`]),
    `    schema: ${text(schemaPath(name))}`,
    `    id: ${text(id)}`,
    ...(source === undefined
      ? []
      : [
          '    source:',
          `      table: ${text(source.table)}`,
          `      key: ${source.key.length === 1 ? text(source.key[0] ?? '') : list(source.key)}`,
          '      # Columns that are not listed are not published.',
          '      columns:',
          ...source.columns.map((column) =>
            typeof column === 'string'
              ? `        - ${text(column)}`
              : `        - { column: ${text(column.column)}, as: ${column.as} }`,
          ),
        ]),
    `    read_permissions: [${text(permission)}]`,
    '    # Each field that can be filtered or sorted by costs an index.',
    '    filterable:',
    ...filterable.map((pointer) => `      ${text(pointer)}: all`),
    ...(sortable.length === 0
      ? []
      : ['    sortable:', ...sortable.map((pointer) => `      - ${text(pointer)}`)]),
    ...(hidden.length === 0
      ? []
      : [
          '    # Kept as they are in the file, and seen only with this permission.',
          '    hidden:',
          ...hidden.map((pointer) => `      ${text(pointer)}: [${text(hiddenPermission)}]`),
        ]),
    '    events:',
    ...Object.entries(events).map(
      ([transition, event]) => `      ${text(event)}: { transition: ${transition} }`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const list = (items: readonly string[]): string => `[${items.map(text).join(', ')}]`;

/** Unquoted if YAML reads it as this text anywhere, otherwise quoted. */
function text(value: string): string {
  return /^[A-Za-z/][\w./-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);
}
