import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Schema of the sample resource: stations with a place, closed. */
export const stationSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'height'],
  properties: {
    id: { type: 'string' },
    height: { type: 'number', minimum: -500 },
    name: { type: 'string' },
    open: { type: 'boolean' },
    place: {
      type: 'object',
      additionalProperties: false,
      properties: { lat: { type: 'number' }, lon: { type: 'number' } },
    },
  },
};

export interface SampleConfig {
  /** @default the default file in the data folder */
  readonly storeUrl?: string;
  readonly schema?: object;
  readonly apiVersion?: string;
  /** As YAML. @default '[/height]' */
  readonly sortable?: string;
  /** Further events, as YAML. @default none */
  readonly events?: readonly string[];
  /** Further sections, as YAML. */
  readonly sections?: string;
  /** Of the data listener. @default '0' */
  readonly port?: string;
  readonly dataDir?: string;
  readonly file?: string;
}

/** Writes a configuration of one resource, `stations`, and its schema to a folder; returns the configuration's path. */
export async function writeSampleConfig(folder: string, options: SampleConfig = {}): Promise<string> {
  const {
    storeUrl,
    schema = stationSchema,
    apiVersion = '1',
    sortable = '[/height]',
    events = [],
    sections = '',
    port = '0',
    dataDir = 'data',
  } = options;
  const { file = 'rostack-gateway.yaml' } = options;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'station.schema.json'), JSON.stringify(schema));
  const path = join(folder, file);
  await writeFile(
    path,
    `identity: { id: observatory, name: Observatory, api_version: "${apiVersion}" }
data_dir: ${dataDir}
${storeUrl === undefined ? '' : `store: { url: { env: STORE_URL } }`}
${sections.includes('listeners:') ? '' : `listeners: { data: { port: ${port} } }`}
permissions: { stations:read: Read stations., stations:follow: Follow stations. }
resources:
  stations:
    schema: station.schema.json
    read_permissions: [stations:read]
    subscribe_permissions: [stations:follow]
    filterable: { /height: all }
    sortable: ${sortable}
    events:
      station.created: { transition: create }
      station.updated: { transition: update }
      station.removed: { transition: delete }
${events.map((event) => `      ${event}`).join('\n')}
${sections}
`,
  );
  return path;
}
