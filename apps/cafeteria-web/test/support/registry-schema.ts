// No npm package carries the published schema (https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json,
// from modelcontextprotocol/registry). These are the rules of its definition `ServerDetail` in our words, for the members
// that our entry has.

const uri = { type: 'string', format: 'uri' } as const;
const keyValueInput = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    default: { type: 'string' },
    format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  },
} as const;

const npmPackage = {
  type: 'object',
  additionalProperties: false,
  required: ['registryType', 'identifier', 'transport'],
  properties: {
    registryType: { type: 'string' },
    registryBaseUrl: uri,
    identifier: { type: 'string' },
    version: { type: 'string', minLength: 1, not: { const: 'latest' } },
    runtimeHint: { type: 'string' },
    transport: {
      type: 'object',
      required: ['type'],
      properties: { type: { enum: ['stdio', 'streamable-http', 'sse'] } },
    },
    environmentVariables: { type: 'array', items: keyValueInput },
  },
} as const;

/** What `/server.json` is held to, JSON Schema draft 7. */
export const REGISTRY_SCHEMA = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version'],
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255, pattern: '^[^~^<>=*x]+$' },
    websiteUrl: uri,
    repository: {
      type: 'object',
      required: ['url', 'source'],
      properties: { url: uri, source: { type: 'string' }, subfolder: { type: 'string' } },
    },
    remotes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'url'],
        properties: {
          type: { enum: ['streamable-http', 'sse'] },
          url: { type: 'string', pattern: '^https?://[^\\s]+$' },
        },
      },
    },
    packages: { type: 'array', items: npmPackage },
  },
} as const;
