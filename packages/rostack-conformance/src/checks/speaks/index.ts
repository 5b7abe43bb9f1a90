import type { Check, Watch } from '../../check/check.ts';
import { challenge, places } from './credentials.ts';
import { discoveryDocument } from './discovery-document.ts';
import { discoveryRequest } from './discovery-request.ts';
import { oauthMetadata } from './oauth.ts';
import { outside } from './outside.ts';
import { problems } from './problems.ts';
import { queries } from './queries.ts';
import { absences, methods, representations } from './requests.ts';
import { schemas } from './schemas.ts';
import { successes } from './successes.ts';

export const speaksChecks: readonly Check[] = [
  discoveryDocument,
  discoveryRequest,
  schemas,
  oauthMetadata,
  challenge,
  places,
  methods,
  representations,
  absences,
  queries,
  outside,
];

export const speaksWatches: readonly Watch[] = [problems, successes];
