import {
  type Capabilities,
  detectRelease,
  JSON_MEDIA_TYPE,
  type RecordSource,
  type Release,
  type Resource,
  schemaFields,
} from 'rostack-core';
import { guardSource } from '../guard/guard-source.ts';
import { aRecordSource } from '../guard/option-checks.ts';
import type { RostackAppOptions } from './app-options.ts';
import { Negotiation } from './negotiation.ts';

/** A resource with all that is needed to answer for it. */
export interface ServedResource {
  readonly descriptor: Resource;
  readonly capabilities: Capabilities;
  /** That of the discovery document, which decides how filters are read. */
  readonly release: Release;
  readonly source: RecordSource;
  readonly negotiation: Negotiation;
}

/** @throws whatever the caller's function throws */
function sourceOf({ name }: Resource, { sources }: RostackAppOptions, faults: string[]): RecordSource {
  const source = sources(name);
  const fault = aRecordSource(source, `options.sources(${JSON.stringify(name)})`);
  if (fault === undefined) return guardSource(name, source);
  faults.push(`${fault}.`);
  return source;
}

/** Joins what the options say about one resource; faults are added as sentences. */
export function serveResource(
  descriptor: Resource,
  options: RostackAppOptions,
  faults: string[],
): ServedResource {
  const renderers = options.renderers?.[descriptor.name] ?? {};
  const representations = descriptor.representations.map(({ media_type: mediaType, schema_url }) => {
    const render = Object.hasOwn(renderers, mediaType) ? renderers[mediaType] : undefined;
    if (mediaType !== JSON_MEDIA_TYPE && render === undefined) {
      faults.push(`Give a renderer for ${mediaType} of the resource ${descriptor.name}.`);
    }
    return { mediaType, hasField: schemaFields(options.implementation.schemas, schema_url), render };
  });
  representations.sort(
    (a, b) => Number(b.mediaType === JSON_MEDIA_TYPE) - Number(a.mediaType === JSON_MEDIA_TYPE),
  );
  return {
    descriptor,
    capabilities: options.implementation.discovery.capabilities,
    release: detectRelease(options.implementation.discovery),
    source: sourceOf(descriptor, options, faults),
    negotiation: new Negotiation(representations),
  };
}
