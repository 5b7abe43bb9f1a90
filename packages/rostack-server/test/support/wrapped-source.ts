import type { RecordSource } from 'rostack-core';

/** A source with some of its methods replaced; `inner` is called each time, so the source may change. */
export function wrappedSource(inner: () => RecordSource, replaced: Partial<RecordSource>): RecordSource {
  return {
    head: () => inner().head(),
    page: (query) => inner().page(query),
    get: (id, visible) => inner().get(id, visible),
    tagAt: (position) => inner().tagAt(position),
    read: (after, limit, tag) => inner().read(after, limit, tag),
    watch: (onMoved) => inner().watch(onMoved),
    ...replaced,
  };
}
