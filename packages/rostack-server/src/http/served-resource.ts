import { LRUCache } from 'lru-cache';
import {
  type Capabilities,
  detectRelease,
  type FieldSelection,
  JSON_MEDIA_TYPE,
  type JsonObject,
  joinBodies,
  negotiateMediaType,
  parseBodies,
  project,
  type RecordSource,
  type Release,
  type Resource,
  schemaFields,
} from 'rostack-core';
import { guardSource } from '../guard/guard-source.ts';
import { aRecordSource } from '../guard/option-checks.ts';
import type { RecordRenderer, RostackAppOptions } from './app-options.ts';
import type { Exchange } from './exchange.ts';
import { HttpProblem } from './http-problem.ts';

const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_LENGTH = 256;

/** One way to show the records of a resource. */
export class ServedRepresentation {
  readonly mediaType: string;
  /** Whether the schema has a value at a path. */
  readonly hasField: (path: readonly string[]) => boolean;
  /** Undefined for the stored JSON as it is. */
  readonly render: RecordRenderer | undefined;

  constructor(mediaType: string, hasField: ServedRepresentation['hasField'], render?: RecordRenderer) {
    this.mediaType = mediaType;
    this.hasField = hasField;
    this.render = render;
  }

  /** The JSON text of a record: the stored text itself where nothing changes it. */
  represent(body: string, fields: FieldSelection | undefined): string {
    if (this.render === undefined && fields === undefined) return body;
    return this.#encode(JSON.parse(body) as JsonObject, fields);
  }

  /** The bodies of a page: the bytes themselves where nothing changes them. */
  representAll(bodies: Uint8Array, fields: FieldSelection | undefined): Uint8Array {
    if (this.render === undefined && fields === undefined) return bodies;
    return joinBodies(parseBodies(bodies).map((record) => this.#encode(record, fields)));
  }

  #encode(record: JsonObject, fields: FieldSelection | undefined): string {
    const shown = this.render === undefined ? record : this.render(record);
    const text: string | undefined = JSON.stringify(fields === undefined ? shown : project(shown, fields));
    if (text === undefined) throw new TypeError('A renderer gave something that is not JSON.');
    return text;
  }
}

/** A resource with all that is needed to answer for it. */
export class ServedResource {
  readonly descriptor: Resource;
  readonly capabilities: Capabilities;
  /** That of the discovery document, which decides how filters are read. */
  readonly release: Release;
  readonly source: RecordSource;
  /** The server's own preference first. */
  readonly #representations: readonly ServedRepresentation[];
  readonly #mediaTypes: readonly string[];
  /** By the commonest `Accept` fields. */
  readonly #remembered = new LRUCache<string, ServedRepresentation>({ max: MAX_REMEMBERED });

  /** Joins what the options say about one resource. @param faults filled with a sentence for each fault */
  constructor(descriptor: Resource, options: RostackAppOptions, sourceTimeoutMs: number, faults: string[]) {
    this.descriptor = descriptor;
    this.capabilities = options.implementation.discovery.capabilities;
    this.release = detectRelease(options.implementation.discovery);
    this.#representations = representationsOf(descriptor, options, faults);
    this.#mediaTypes = this.#representations.map(({ mediaType }) => mediaType);
    this.source = sourceOf(descriptor, options, sourceTimeoutMs, faults);
  }

  /**
   * The representation that the `Accept` field prefers.
   * @throws HttpProblem representation-not-acceptable
   * @see RFC 9110 section 12.5.1, protocol section 5
   */
  chooseFor(exchange: Exchange): ServedRepresentation {
    const accept = exchange.c.req.header('accept') ?? '*/*';
    const known = this.#remembered.get(accept);
    if (known !== undefined) return known;
    const chosen = negotiateMediaType(accept, this.#mediaTypes);
    const representation = this.#representations.find(({ mediaType }) => mediaType === chosen);
    if (representation === undefined) {
      const detail = `This resource comes as ${this.#mediaTypes.join(', ')}.`;
      throw HttpProblem.of('representation-not-acceptable', detail);
    }
    if (accept.length <= MAX_REMEMBERED_LENGTH) this.#remembered.set(accept, representation);
    return representation;
  }
}

/** @throws whatever the caller's function throws */
function sourceOf(
  { name }: Resource,
  { sources }: RostackAppOptions,
  timeoutMs: number,
  faults: string[],
): RecordSource {
  const source = sources(name);
  const fault = aRecordSource(source, `options.sources(${JSON.stringify(name)})`);
  if (fault === undefined) return guardSource(name, source, timeoutMs);
  faults.push(`${fault}.`);
  return source;
}

function representationsOf(
  descriptor: Resource,
  options: RostackAppOptions,
  faults: string[],
): readonly ServedRepresentation[] {
  const all = options.renderers ?? {};
  const renderers = Object.hasOwn(all, descriptor.name) ? (all[descriptor.name] ?? {}) : {};
  const representations = descriptor.representations.map(({ media_type: mediaType, schema_url }) => {
    const render = Object.hasOwn(renderers, mediaType) ? renderers[mediaType] : undefined;
    if (mediaType !== JSON_MEDIA_TYPE && render === undefined) {
      faults.push(`Give a renderer for ${mediaType} of the resource ${descriptor.name}.`);
    }
    return new ServedRepresentation(
      mediaType,
      schemaFields(options.implementation.schemas, schema_url),
      render,
    );
  });
  return representations.sort(
    (a, b) => Number(b.mediaType === JSON_MEDIA_TYPE) - Number(a.mediaType === JSON_MEDIA_TYPE),
  );
}
