import { LRUCache } from 'lru-cache';
import { negotiateMediaType } from 'rostack-core';
import type { RecordRenderer } from './app-options.ts';
import type { Exchange } from './exchange.ts';
import { HttpProblem } from './http-problem.ts';

const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_LENGTH = 256;

/** One way to show the records of a resource. */
export interface ServedRepresentation {
  readonly mediaType: string;
  /** Whether the schema has a value at a path. */
  readonly hasField: (path: readonly string[]) => boolean;
  /** Undefined for the stored JSON as it is. */
  readonly render: RecordRenderer | undefined;
}

/** Chooses among the representations of a resource; the commonest `Accept` fields are remembered. */
export class Negotiation {
  readonly #representations: readonly ServedRepresentation[];
  readonly #mediaTypes: readonly string[];
  readonly #remembered = new LRUCache<string, ServedRepresentation>({ max: MAX_REMEMBERED });

  /** @param representations the server's own preference first */
  constructor(representations: readonly ServedRepresentation[]) {
    this.#representations = representations;
    this.#mediaTypes = representations.map(({ mediaType }) => mediaType);
  }

  /**
   * The representation that the `Accept` field prefers.
   * @throws HttpProblem representation-not-acceptable
   * @see RFC 9110 section 12.5.1, protocol section 5
   */
  choose(exchange: Exchange): ServedRepresentation {
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
