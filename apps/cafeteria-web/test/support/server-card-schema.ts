// No npm package carries the published schema (https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json,
// from modelcontextprotocol/experimental-ext-server-card). These are the rules of its definition `ServerCard` in our words:
// every member that our card has, with the type, length, pattern and required members of version 1, which leaves
// the object open. Our card is held to more where the service's own document asks for more.

const uri = { type: 'string', format: 'uri' } as const;
const text = (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength }) as const;

const remote = {
  type: 'object',
  required: ['type', 'url', 'supportedProtocolVersions'],
  additionalProperties: false,
  properties: {
    type: { enum: ['streamable-http', 'sse'] },
    url: { type: 'string', pattern: '^https?://[^\\s]+$' },
    supportedProtocolVersions: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', format: 'date' },
    },
  },
} as const;

/** What `/.well-known/mcp/server-card.json` is held to, JSON Schema 2020-12. */
export const SERVER_CARD_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  // From `serverInfo` on: the older shape of the same document.
  required: [
    '$schema',
    'name',
    'version',
    'description',
    'title',
    'remotes',
    'serverInfo',
    'transport',
    'capabilities',
    'protocolVersion',
    'tools',
  ],
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json' },
    name: { ...text(3, 200), pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    // A version, never a range of versions.
    version: { ...text(1, 255), pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+(-[0-9A-Za-z.-]+)?$' },
    description: text(1, 100),
    title: text(1, 100),
    websiteUrl: uri,
    repository: {
      type: 'object',
      required: ['source', 'url'],
      additionalProperties: false,
      properties: {
        source: { type: 'string' },
        url: uri,
        id: { type: 'string' },
        subfolder: { type: 'string', pattern: '^(?!/)(?!.*\\.\\.)[^\\\\]+$' },
      },
    },
    remotes: { type: 'array', minItems: 1, items: remote },
    protocolVersion: { type: 'string', format: 'date' },
    serverInfo: { type: 'object', required: ['name', 'version'] },
    transport: {
      type: 'object',
      required: ['type', 'endpoint'],
      properties: { type: { const: 'streamable-http' }, endpoint: { type: 'string', pattern: '^/' } },
    },
    capabilities: { type: 'object', required: ['tools'] },
    tools: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description', 'inputSchema'],
        properties: { inputSchema: { type: 'object', properties: { type: { const: 'object' } } } },
      },
    },
  },
} as const;
