import type { RecordSource } from 'rostack-core';
import type { InSpan } from './tracing.ts';

/** A source whose calls are spans; the spans do not contain what is read. */
export function traceSource(source: RecordSource, resource: string, inSpan: InSpan): RecordSource {
  const attributes = { 'rostack.resource': resource };
  return {
    head: () => inSpan('store head', attributes, () => source.head()),
    page: (query) =>
      inSpan('store page', { ...attributes, 'rostack.limit': query.limit }, () => source.page(query)),
    get: (id, visible) => inSpan('store get', attributes, () => source.get(id, visible)),
    tagAt: (position) => inSpan('store tag', attributes, () => source.tagAt(position)),
    read: (after, limit, tag) => inSpan('store read', attributes, () => source.read(after, limit, tag)),
    ...(source.waitForPosition !== undefined && {
      waitForPosition: async (place) =>
        inSpan('store reach', attributes, async () => source.waitForPosition?.(place)),
    }),
    watch: (onMoved) => source.watch(onMoved),
  };
}
