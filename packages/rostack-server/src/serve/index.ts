export { createRouteHandlers, type RouteHandlers, type RouteOptions } from './create-route-handlers.ts';
export type { ServeOptions } from './serve-options.ts';
export { type RostackService, type ServedBy, serveRostack } from './serve-rostack.ts';
