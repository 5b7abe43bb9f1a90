import { negotiateMediaType } from 'rostack-core';
import type { Exchange } from './exchange.ts';
import { HttpProblem } from './http-problem.ts';
import type { ServedRepresentation, ServedResource } from './served-resource.ts';

/**
 * Chooses the representation of a resource that the `Accept` field prefers.
 * @throws HttpProblem representation-not-acceptable
 * @see RFC 9110 section 12.5.1, protocol section 5
 */
export function negotiate(
  exchange: Exchange,
  { representations, mediaTypes }: ServedResource,
): ServedRepresentation {
  const accept = exchange.c.req.header('accept');
  const chosen = accept === undefined ? mediaTypes[0] : negotiateMediaType(accept, mediaTypes);
  const representation = representations.find(({ mediaType }) => mediaType === chosen);
  if (representation !== undefined) return representation;
  throw HttpProblem.of('representation-not-acceptable', `This resource comes as ${mediaTypes.join(', ')}.`);
}
