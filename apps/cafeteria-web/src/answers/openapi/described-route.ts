import type { ZodOpenApiOperationObject } from 'zod-openapi';

/** A path that answers GET, with what `/openapi.json` says of it. */
export interface DescribedRoute<Path extends string = string> {
  /** As the router takes it. */
  readonly path: Path;
  /** As OpenAPI writes it. */
  readonly template: string;
  readonly operation: ZodOpenApiOperationObject;
}

/** @param template @default the path, with its parameters in braces */
export function describedRoute<const Path extends string>(
  path: Path,
  operation: ZodOpenApiOperationObject,
  template: string = path.replaceAll(/:(\w+)/g, '{$1}'),
): DescribedRoute<Path> {
  return { path, template, operation };
}
