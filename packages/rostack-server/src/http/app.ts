import { Hono } from 'hono';
import {
  checkOptions,
  type ImplementationTypes,
  JSON_MEDIA_TYPE,
  OptionsError,
  withDefaults,
} from 'rostack-core';
import type { Authenticator } from '../auth/authenticator.ts';
import { authenticatorFaults } from '../auth/authenticator-faults.ts';
import { guardHooks } from '../options/http-hooks.ts';
import { sourcesFault } from '../options/served-options.ts';
import { appOptions } from './options/app-option-checks.ts';
import { HTTP_NUMBERS, type RostackAppOptions } from './options/app-options.ts';
import { declaredProblemsOf, undeclaredProblems } from './problem/error-declarations.ts';
import { clientAddressBehind } from './request/client-address.ts';
import { createCors } from './request/cors.ts';
import { guardClock, guardRequestIds } from './request/guarded-callbacks.ts';
import { advertisedHosts, comparedHost } from './request/hosts.ts';
import { Pipeline } from './request/pipeline.ts';
import { apiPathOf, RouteTable } from './request/route-table.ts';
import { Access } from './resource/access.ts';
import { Cursors } from './resource/page-cursor-seal.ts';
import { PageCache } from './resource/ready-page.ts';
import { addRoutes } from './routes.ts';

/** Beginning of the message about wrong options. */
const REFUSED = 'The rostack app cannot be made';

/**
 * Makes a Hono app that serves discovery, the owned schemas, collections and items of an implementation at the paths of their URLs. Mount
 * it anywhere, or serve it as it is: requests for other paths are passed on to the surrounding app. Renderers take and return the types
 * that the implementation declares.
 * @throws OptionsError `invalid_options`, with every fault, when the options do not fit together
 * @see protocol sections 2 to 6
 */
export function createRostackApp<Types extends ImplementationTypes = ImplementationTypes>(
  options: RostackAppOptions<Types>,
): Hono;
export function createRostackApp(options: RostackAppOptions): Hono {
  return createRecognisingApp(options).app;
}

/** `createRostackApp`, with a function that returns whether the app answers a path when it is mounted. */
export function createRecognisingApp(options: RostackAppOptions): {
  readonly app: Hono;
  readonly recognises: (path: string) => boolean;
} {
  checkOptions(appOptions, options, REFUSED);
  const sourceFault = sourcesFault(options);
  if (sourceFault !== undefined) throw new OptionsError(REFUSED, [sourceFault]);
  const { discovery } = options.implementation;
  const { hosts = advertisedHosts(discovery) } = options;
  const numbers = withDefaults(HTTP_NUMBERS, options);
  const hooks = guardHooks(options.hooks ?? {});
  const faults: string[] = [];
  const accessBy = (authenticators: readonly Authenticator[]) =>
    new Access({
      authenticators,
      realm: discovery.implementation.id,
      rateLimiter: options.rateLimiter,
      onLimiterError: (error, { requestId }) =>
        hooks.onError?.(error, { requestId, operation: undefined, resource: undefined }),
    });
  const access = accessBy(options.authenticators);
  const { authenticators: fresh } = options.sharing ?? {};
  const declared = declaredProblemsOf(discovery);
  const isDiscoveryPublic = discovery.authentication.discovery_public ?? true;
  faults.push(
    ...authenticatorFaults(options),
    ...rendererFaults(options),
    ...undeclaredProblems(declared, { isRateLimited: options.rateLimiter !== undefined, isDiscoveryPublic }),
  );
  const routes = new RouteTable();
  addRoutes(routes, options, {
    access,
    audienceAccess: fresh === undefined ? access : accessBy(fresh),
    cursors: new Cursors(discovery.implementation, options.cursorKeys),
    pageCache: numbers.pageCacheMaxBytes > 0 ? new PageCache(numbers.pageCacheMaxBytes) : undefined,
    sourceTimeoutMs: numbers.sourceTimeoutMs,
    faults,
  });
  if (faults.length > 0) throw new OptionsError(REFUSED, faults);

  const needsAddress = options.rateLimiter !== undefined || hooks.onRequest !== undefined;
  const pipeline = new Pipeline({
    routes,
    apiPath: apiPathOf(discovery.endpoints.json_api),
    strippedPathPrefix: options.strippedPathPrefix ?? '',
    hosts: hosts === 'any' ? undefined : new Set(hosts.map(comparedHost)),
    declared,
    cors: createCors(options.cors),
    apiVersion: discovery.implementation.api_version,
    clientAddress: needsAddress ? (options.clientAddress ?? clientAddressBehind(0)) : undefined,
    admit: options.rateLimiter && ((exchange) => access.admit(exchange)),
    retryAfterMs: numbers.retryAfterMs,
    hooks,
    clock: guardClock(options.clock, hooks),
    makeRequestId: guardRequestIds(options.makeRequestId, hooks),
  });
  const app = new Hono();
  app.use('*', pipeline.handle);
  app.notFound(pipeline.notFound);
  return { app, recognises: pipeline.recognises };
}

/** A renderer needs a declared representation; `application/json` is the stored record and needs none. */
function rendererFaults({ implementation, renderers = {} }: RostackAppOptions): string[] {
  const rendered = new Map(
    implementation.discovery.resources.map(({ name, representations }) => [
      name,
      representations.map(({ media_type }) => media_type).filter((type) => type !== JSON_MEDIA_TYPE),
    ]),
  );
  return Object.entries(renderers).flatMap(([name, byType]) =>
    Object.keys(byType)
      .filter((mediaType) => rendered.get(name)?.includes(mediaType) !== true)
      .map(
        (mediaType) =>
          `Leave out the renderer for ${mediaType} of ${name}: it is not a representation of the resource.`,
      ),
  );
}
