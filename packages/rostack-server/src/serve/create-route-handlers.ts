import { checkOptions, type ImplementationTypes, OptionsError, oneOf, optional } from 'rostack-core';
import { createRostackApp, type RostackAppOptions } from '../http/index.ts';

/** The options of `createRostackApp`, and which process serves the gateway. */
export type RouteOptions<Types extends ImplementationTypes = ImplementationTypes> =
  RostackAppOptions<Types> & {
    /**
     * Route handlers cannot take upgrades. Use `elsewhere` if a process with `serveRostack` serves the gateway at the URL that discovery
     * advertises.
     * @default refused for resources with events
     */
    readonly gateway?: 'elsewhere';
  };

type RouteHandler = (request: Request) => Promise<Response>;

/** One handler for each method, as expected by frameworks with files for routes, such as Next. */
export type RouteHandlers = Readonly<
  Record<'DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT', RouteHandler>
>;

const REFUSED = 'The route handlers cannot be made';

/**
 * Makes handlers for the route files of a framework: discovery, schemas, lists and items. There is no WebSocket.
 * @throws OptionsError `invalid_options`, with every fault; also if a resource has events and nothing serves them
 */
export function createRouteHandlers<Types extends ImplementationTypes = ImplementationTypes>(
  options: RouteOptions<Types>,
): RouteHandlers;
export function createRouteHandlers(
  { gateway, ...options }: RouteOptions = {} as RouteOptions,
): RouteHandlers {
  const app = createRostackApp(options);
  checkOptions(optional(oneOf('elsewhere')), gateway, REFUSED, 'options.gateway');
  const followed = options.implementation.discovery.resources.filter(({ events }) => events.length > 0);
  if (followed.length > 0 && gateway !== 'elsewhere') {
    const names = followed.map(({ name }) => name).join(', ');
    throw new OptionsError(REFUSED, [
      `Route handlers have no WebSocket, and ${names} has events: serve the gateway by serveRostack in a process of its own and set gateway: 'elsewhere', or declare no events.`,
    ]);
  }
  const handle: RouteHandler = async (request) => app.fetch(request);
  return {
    DELETE: handle,
    GET: handle,
    HEAD: handle,
    OPTIONS: handle,
    PATCH: handle,
    POST: handle,
    PUT: handle,
  };
}
