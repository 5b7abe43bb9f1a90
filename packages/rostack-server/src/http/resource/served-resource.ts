import { LRUCache } from 'lru-cache';
import {
  type Capabilities,
  type Collations,
  detectRelease,
  type FieldSelection,
  type Filter,
  type HiddenField,
  hiddenFrom,
  type ImplementedResource,
  JSON_MEDIA_TYPE,
  type JsonObject,
  joinBodies,
  negotiateMediaType,
  type Principal,
  parseBodies,
  parseTrustedJson,
  project,
  type RecordSource,
  type Release,
  type Resource,
  type RowRule,
  type SortKey,
  schemaFields,
  type Visibility,
  visibilityOf,
  withoutFields,
} from 'rostack-core';
import { guardSource } from '../../guard/guard-source.ts';
import { type HistoryTexts, historyTexts } from '../../guard/history-texts.ts';
import { aRecordSource, collationsOf, ruledResource } from '../../guard/option-checks.ts';
import { sourcesOf } from '../../options/served-options.ts';
import type { RecordRenderer, RostackAppOptions } from '../options/app-options.ts';
import { HttpProblem } from '../problem/http-problem.ts';
import type { Exchange } from '../request/exchange.ts';

const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_LENGTH = 256;

/** A representation of a resource's records. */
export class ServedRepresentation {
  readonly mediaType: string;
  /** Whether the schema has a value at a path. */
  readonly hasField: (path: readonly string[]) => boolean;
  /** Undefined for the stored JSON, with or without hidden fields. */
  readonly render: RecordRenderer | undefined;
  /** All of them are needed, in addition to those to read. */
  readonly permissions: readonly string[];
  /** The fields that it leaves out. */
  readonly hidden: readonly HiddenField[];

  constructor(
    parts: Pick<ServedRepresentation, 'mediaType' | 'hasField' | 'render' | 'permissions' | 'hidden'>,
  ) {
    this.mediaType = parts.mediaType;
    this.hasField = parts.hasField;
    this.render = parts.render;
    this.permissions = parts.permissions;
    this.hidden = parts.hidden;
  }

  /**
   * Whether it can change while the version of the record stays the same: after a restart it may be rendered or hide fields differently.
   */
  get isMade(): boolean {
    return this.render !== undefined || this.hidden.length > 0;
  }

  isFor({ permissions }: Principal): boolean {
    return this.permissions.every((name) => permissions.has(name));
  }

  /** The JSON text of a record: the stored text itself if nothing changes it. */
  represent(body: string, fields: FieldSelection | undefined): string {
    if (!this.isMade && fields === undefined) return body;
    return this.#encode(parseTrustedJson(body) as JsonObject, fields);
  }

  /** The bodies of a page: the bytes themselves if nothing changes them. */
  representAll(bodies: Uint8Array, fields: FieldSelection | undefined): Uint8Array {
    if (!this.isMade && fields === undefined) return bodies;
    return joinBodies(parseBodies(bodies).map((record) => this.#encode(record, fields)));
  }

  #encode(record: JsonObject, fields: FieldSelection | undefined): string {
    const rest = withoutFields(record, this.hidden);
    const shown = this.render === undefined ? rest : this.render(rest);
    const text: string | undefined = JSON.stringify(fields === undefined ? shown : project(shown, fields));
    if (text === undefined) throw new TypeError('A renderer returned something that is not JSON.');
    return text;
  }
}

/** A resource with everything needed to answer requests for it. */
export class ServedResource {
  readonly descriptor: Resource;
  readonly capabilities: Capabilities;
  /** The release of the discovery document, which decides how filters are parsed. */
  readonly release: Release;
  /** The string fields that compare as numbers. */
  readonly collations: Collations;
  readonly source: RecordSource;
  readonly history: HistoryTexts;
  readonly #visible: RowRule | undefined;
  readonly #hidden: readonly HiddenField[];
  /** In the server's order of preference. */
  readonly #representations: readonly ServedRepresentation[];
  readonly #mediaTypes: readonly string[];
  /** By `Accept` field, for the commonest ones, among principals with the same representations. */
  readonly #remembered = new LRUCache<string, ServedRepresentation>({ max: MAX_REMEMBERED });

  /** Combines the options for one resource. @param faults filled with a sentence for each fault */
  constructor(descriptor: Resource, options: RostackAppOptions, sourceTimeoutMs: number, faults: string[]) {
    this.descriptor = descriptor;
    this.capabilities = options.implementation.discovery.capabilities;
    this.release = detectRelease(options.implementation.discovery);
    const { resources, schemas } = options.implementation;
    const ruled = ruledResource(descriptor.name, resources, faults);
    this.collations = collationsOf(descriptor, schemas, ruled);
    this.#visible = ruled?.visible;
    this.history = historyTexts(options.cursorKeys.events, descriptor.name, this.#visible);
    this.#hidden = ruled?.hidden ?? [];
    this.#representations = representationsOf(descriptor, options, ruled, faults);
    this.#mediaTypes = this.#representations.map(({ mediaType }) => mediaType);
    this.source = sourceOf(descriptor, options, sourceTimeoutMs, faults);
  }

  /** The rows that a principal may see. @throws RowRuleError, and errors of the rule */
  visibilityFor(principal: Principal): Visibility {
    return visibilityOf(this.#visible, principal, this.collations);
  }

  /** Identifies which hidden fields a principal may see: equal for principals that may see the same ones. */
  fieldRightsOf({ permissions }: Principal): string {
    return this.#hidden
      .flatMap(({ permissions: needed }) => needed.filter((name) => permissions.has(name)))
      .join(' ');
  }

  /**
   * Checks that a query uses no field that is hidden from the principal: the order of the records, or gaps in it, would reveal it.
   * @throws HttpProblem permission-denied
   */
  checkFields(
    principal: Principal,
    query: { readonly filter: Filter | undefined; readonly sort: readonly SortKey[] },
  ): void {
    const [field] = hiddenFrom(principal.permissions, this.#hidden, query);
    if (field === undefined) return;
    throw HttpProblem.of(
      'permission-denied',
      `Filtering and sorting by ${field.pointer} needs the permissions ${field.permissions.join(', ')}.`,
    );
  }

  /**
   * The representation that the `Accept` field prefers among those that the principal may read.
   * @throws HttpProblem representation-not-acceptable; permission-denied if only a representation that the principal may not read is
   * acceptable
   * @see RFC 9110 section 12.5.1, protocol section 5
   */
  chooseFor(exchange: Exchange, principal: Principal): ServedRepresentation {
    const accept = exchange.c.req.header('accept') ?? '*/*';
    const allowed = this.#representations.filter((each) => each.isFor(principal));
    const key = `${allowed.map(({ mediaType }) => mediaType).join(' ')}\n${accept}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const representation = preferred(accept, allowed);
    if (representation === undefined) {
      const forbidden = preferred(accept, this.#representations);
      if (forbidden !== undefined) {
        const { mediaType, permissions } = forbidden;
        const detail = `Reading ${this.descriptor.name} as ${mediaType} needs the permissions ${permissions.join(', ')}.`;
        throw HttpProblem.of('permission-denied', detail);
      }
      const detail = `This resource is available as ${this.#mediaTypes.join(', ')}.`;
      throw HttpProblem.of('representation-not-acceptable', detail);
    }
    if (accept.length <= MAX_REMEMBERED_LENGTH) this.#remembered.set(key, representation);
    return representation;
  }
}

/** @throws whatever the caller's function throws */
function sourceOf(
  { name }: Resource,
  options: RostackAppOptions,
  timeoutMs: number,
  faults: string[],
): RecordSource {
  const source = sourcesOf(options)(name);
  const fault = aRecordSource(source, `options.sources(${JSON.stringify(name)})`);
  if (fault === undefined) return guardSource(name, source, timeoutMs);
  faults.push(`${fault}.`);
  return source;
}

function preferred(
  accept: string,
  representations: readonly ServedRepresentation[],
): ServedRepresentation | undefined {
  const mediaTypes = representations.map(({ mediaType }) => mediaType);
  const chosen = negotiateMediaType(accept, mediaTypes);
  return representations.find(({ mediaType }) => mediaType === chosen);
}

function representationsOf(
  descriptor: Resource,
  options: RostackAppOptions,
  ruled: Pick<ImplementedResource, 'hidden' | 'requires'> | undefined,
  faults: string[],
): readonly ServedRepresentation[] {
  const all = options.renderers ?? {};
  const renderers = Object.hasOwn(all, descriptor.name) ? (all[descriptor.name] ?? {}) : {};
  const representations = descriptor.representations.map(({ media_type: mediaType, schema_url }) => {
    const render = Object.hasOwn(renderers, mediaType) ? renderers[mediaType] : undefined;
    if (mediaType !== JSON_MEDIA_TYPE && render === undefined) {
      faults.push(`Pass a renderer for ${mediaType} of the resource ${descriptor.name}.`);
    }
    const { hidden = [], requires = {} } = ruled ?? {};
    const permissions = Object.hasOwn(requires, mediaType) ? (requires[mediaType] ?? []) : [];
    return new ServedRepresentation({
      mediaType,
      hasField: schemaFields(options.implementation.schemas, schema_url),
      render,
      permissions,
      hidden: hidden.filter((field) => !field.permissions.every((name) => permissions.includes(name))),
    });
  });
  return representations.sort(
    (a, b) => Number(b.mediaType === JSON_MEDIA_TYPE) - Number(a.mediaType === JSON_MEDIA_TYPE),
  );
}
