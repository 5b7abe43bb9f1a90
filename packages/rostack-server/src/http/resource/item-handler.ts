import { hash } from 'node:crypto';
import {
  type FieldSelection,
  formatEtag,
  matchesEtag,
  parseFields,
  type Visibility,
  visibleFilter,
} from 'rostack-core';
import { HttpProblem } from '../problem/http-problem.ts';
import type { Exchange, Reply } from '../request/exchange.ts';
import type { Route } from '../request/route-table.ts';
import type { Access } from './access.ts';
import { parseQueryString } from './list-query.ts';
import type { ServedRepresentation, ServedResource } from './served-resource.ts';

/** Answers item requests (protocol section 5): the record itself, with its version as ETag. */
export class ItemHandler implements Route {
  readonly operation = 'get';
  readonly resource: string;
  readonly isPublic = false;
  readonly #resource: ServedResource;
  readonly #idParameter: string | undefined;
  readonly #access: Access;

  /** @param idParameter name of the query parameter with the id, if the template puts it into the query */
  constructor(resource: ServedResource, idParameter: string | undefined, access: Access) {
    this.resource = resource.descriptor.name;
    this.#resource = resource;
    this.#idParameter = idParameter;
    this.#access = access;
  }

  /** @param pathId the id in the path; unused if the query has it */
  async answer(exchange: Exchange, pathId: string): Promise<Reply> {
    const principal = await this.#access.authorizeRead(exchange, this.#resource);
    const representation = this.#resource.chooseFor(exchange, principal);
    const idParameter = this.#idParameter;
    const parameters = parseQueryString(
      exchange.search,
      idParameter === undefined ? ['fields'] : ['fields', idParameter],
    );

    const id = idParameter === undefined ? pathId : (parameters[idParameter] ?? '');
    exchange.recordId = id;
    const fields =
      parameters.fields === undefined ? undefined : parseFields(parameters.fields, representation.hasField);
    const record = await this.#find(id, this.#resource.visibilityFor(principal));
    const body = representation.represent(record.body, fields);
    const version = this.#resource.history.version(record.version);
    const etag = etagOf(version, representation, fields, body);
    const headers = { 'Cache-Control': 'private, no-cache', ETag: etag, Vary: 'Accept, Authorization' };
    const ifNoneMatch = exchange.c.req.header('if-none-match');
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag))
      return { status: 304, headers, body: null };
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': representation.mediaType },
      body,
    };
  }

  /** Reads a record that is not visible in the same way as one that does not exist. */
  async #find(id: string, visibility: Visibility) {
    // No store can have U+0000 in a key, and PostgreSQL rejects it in a query.
    const found =
      visibility.kind === 'none' || id.includes('\0')
        ? undefined
        : await this.#resource.source.get(id, visibleFilter(visibility, undefined));
    if (found === undefined) throw HttpProblem.of('resource-not-found', 'There is no record of this id.');
    if (found === 'gone') throw HttpProblem.of('resource-gone', 'The record of this id has been deleted.');
    return found;
  }
}

/**
 * The record's version; a representation other than the stored JSON has a validator of its own (RFC 9110 section 8.8.3). That of a renderer
 * depends on its output: another start may bring another renderer, while the version stays.
 */
function etagOf(
  version: string,
  { mediaType, isMade }: ServedRepresentation,
  fields: FieldSelection | undefined,
  body: string,
): string {
  if (!isMade && fields === undefined) return formatEtag(version);
  const shown = isMade ? body : fields?.pointers;
  const shape = hash('sha256', JSON.stringify([mediaType, shown]), 'base64url');
  return formatEtag(`${version}.${shape.slice(0, 11)}`);
}
