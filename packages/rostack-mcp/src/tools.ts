import { type CallToolResult, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { RostackClient } from 'rostack-client';
import { filterSchema, type JsonObject, type JsonSchema, type Resource } from 'rostack-core';
import { foreignSchema, foreignText } from './text/foreign-text.ts';
import { BoundedItems, CUT_HINTS, type ResultLimits, resultJson } from './text/result-limits.ts';

/** Where the filters of a resource are too many to describe. */
const ANY_FILTER: JsonObject = { type: 'object' };

/** How long to wait for events that exist already. */
const CHANGES_TIMEOUT_MS = 15_000;

/** Of an error, in characters. */
const MAX_REASON_LENGTH = 2_000;

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export interface ToolContext {
  readonly client: RostackClient;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly limits: ResultLimits;
}

type Register = (server: McpServer) => void;

/** The tools of every resource, ready for any number of servers: their schemas are compiled once. */
export function createTools(context: ToolContext): readonly Register[] {
  return context.client.discovery.resources.flatMap((resource) => [
    listTool(context, resource),
    getTool(context, resource),
    ...(resource.events.length > 0 ? [changesTool(context, resource)] : []),
  ]);
}

/** The input of all tools; the schema of each tool says which of these it takes. */
interface ToolInput {
  readonly filter?: JsonObject;
  readonly sort?: readonly string[];
  readonly fields?: readonly string[];
  readonly limit?: number;
  readonly id?: string | number;
  readonly cursor?: string;
}

function listTool({ client, schemas, limits }: ToolContext, resource: Resource): Register {
  const { name, filtering } = resource;
  const isFilterable = Object.keys(filtering.filterable_fields).length > 0;
  const sortable = filtering.sortable_fields.flatMap((pointer) => [pointer, `-${pointer}`]);
  const schema = closed(
    {
      ...(isFilterable && { filter: { $ref: '#/$defs/filter' } }),
      ...(sortable.length > 0 && {
        sort: {
          type: 'array',
          items: { type: 'string', enum: sortable },
          description: 'Fields in the order that they count; a minus in front for descending.',
        },
      }),
      fields: {
        type: 'array',
        items: { type: 'string', pattern: '^/' },
        minItems: 1,
        description: 'JSON Pointers of the fields to keep, such as /id.',
      },
      limit: { type: 'integer', minimum: 1, maximum: limits.maxCount, default: limits.maxCount },
    },
    isFilterable
      ? {
          $defs: {
            filter: foreignSchema(filterSchema(resource, schemas, { $ref: '#/$defs/filter' })) ?? ANY_FILTER,
          },
        }
      : {},
  );
  return register(
    limits,
    `list_${toolName(name)}`,
    `Lists records of ${name}${described(resource)}. A filter maps JSON Pointers of fields to operators, such as {"/name":{"eq":"a"}}; all of them have to match.`,
    schema,
    async ({ filter, sort, fields, limit = limits.maxCount }, signal) => {
      const bounded = new BoundedItems({ ...limits, maxCount: Math.min(limit, limits.maxCount) });
      const { max_page_size: maximum } = client.discovery.capabilities;
      const list = client.list(name, {
        ...(filter !== undefined && { filter }),
        ...(sort !== undefined && { sort }),
        ...(fields !== undefined && { fields }),
        // One more record than asked for shows whether there are more.
        pageSize: Math.min(limit + 1, maximum),
        signal,
      });
      for await (const record of list) if (!bounded.add(record)) break;
      return {
        items: bounded.items,
        ...cutOf(bounded),
        ...(list.eventCursor !== undefined && { cursor: list.eventCursor }),
      };
    },
  );
}

function getTool({ client, limits }: ToolContext, resource: Resource): Register {
  const { name } = resource;
  const id = { type: ['string', 'integer'], description: 'The id of the record.' };
  return register(
    limits,
    `get_${toolName(name)}`,
    `Reads one record of ${name}${described(resource)}.`,
    closed({ id }, { required: ['id'] }),
    async ({ id: wanted = '' }, signal) => {
      const item = await client.get(name, wanted, { signal });
      if (item.kind === 'found') return { record: item.record };
      throw new Error(
        item.kind === 'gone'
          ? `${wanted} was deleted`
          : `there is no ${wanted} in ${name}, or it may not be seen`,
      );
    },
  );
}

function changesTool({ client, limits }: ToolContext, resource: Resource): Register {
  const { name } = resource;
  const schema = closed({
    cursor: {
      type: 'string',
      minLength: 1,
      description: 'Of an answer before, or of a list; without it, the present one is given.',
    },
    limit: { type: 'integer', minimum: 1, maximum: limits.maxCount, default: limits.maxCount },
  });
  return register(
    limits,
    `changes_${toolName(name)}`,
    `Tells what has changed in ${name} since a cursor, in order: created, changed and deleted records.`,
    schema,
    async ({ cursor, limit = limits.maxCount }, signal) => {
      if (cursor === undefined)
        return { changes: [], cursor: (await presentCursor(client, name, signal)) ?? null };
      const bounded = new BoundedItems({ ...limits, maxCount: limit });
      const joined = AbortSignal.any([signal, AbortSignal.timeout(CHANGES_TIMEOUT_MS)]);
      await using subscription = client.subscribe(name, { cursor, signal: joined });
      let reached = cursor;
      for await (const message of subscription) {
        if (message.kind === 'caught_up') break;
        if (message.kind !== 'event') continue;
        const { transition, resourceId: id, eventType, occurredAt, data } = message;
        const change = { id, transition, eventType, occurredAt, ...(data !== undefined && { data }) };
        if (!bounded.add(change) && !addAlone(bounded, change)) break;
        reached = message.cursor;
      }
      return {
        changes: bounded.items,
        cursor: reached,
        ...(bounded.cut !== undefined && { more: true, hint: 'There are more: ask again with this cursor.' }),
      };
    },
  );
}

/** A change that is too large for any answer is told without its data: otherwise nobody would come past it. */
function addAlone(bounded: BoundedItems, { data: _data, ...change }: JsonObject): boolean {
  if (bounded.items.length > 0) return false;
  bounded.cut = undefined;
  return bounded.add({ ...change, dataLeftOut: 'It is too large: read the record with list_ and fields.' });
}

async function presentCursor(
  client: RostackClient,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const list = client.list(name, { pageSize: 1, signal });
  for await (const _ of list.pages()) break;
  return list.eventCursor;
}

function register(
  limits: ResultLimits,
  name: string,
  description: string,
  schema: JsonObject,
  call: (input: ToolInput, signal: AbortSignal) => Promise<JsonObject>,
): Register {
  const inputSchema = fromJsonSchema<ToolInput>(schema);
  return (server) => {
    server.registerTool(
      name,
      { description, inputSchema, annotations: READ_ONLY },
      async (input, { mcpReq }) => {
        try {
          return answer(await call(input, mcpReq.signal), limits);
        } catch (error) {
          return refusal(error);
        }
      },
    );
  };
}

const answer = (structuredContent: JsonObject, limits: ResultLimits): CallToolResult => ({
  content: [{ type: 'text', text: resultJson(structuredContent, limits) }],
  structuredContent,
});

/** The assistant reads it, and can act on it. */
function refusal(error: unknown): CallToolResult {
  const { code, retryable, message } = error as {
    readonly code?: unknown;
    readonly retryable?: unknown;
    readonly message?: unknown;
  };
  const words = [
    foreignText(typeof message === 'string' ? message : String(error), MAX_REASON_LENGTH),
    ...(code === 'cursor_unavailable' || code === 'cursor_scope_mismatch'
      ? ['list again, and go on from its cursor']
      : []),
    ...(retryable === true ? ['try again later'] : []),
  ];
  return { isError: true, content: [{ type: 'text', text: words.join('; ') }] };
}

const cutOf = ({ cut }: BoundedItems) => (cut === undefined ? {} : { more: true, hint: CUT_HINTS[cut] });

const closed = (properties: JsonObject, others: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...others,
});

const described = ({ description }: Resource): string =>
  description === undefined ? '' : ` (${foreignText(description).replace(/\.$/, '')})`;

const toolName = (resource: string): string => resource.replaceAll('-', '_');
