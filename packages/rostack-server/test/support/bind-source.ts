import type { RecordSource } from 'rostack-core';

/** The methods of a source, so that some can be replaced. */
export function bindSource(source: RecordSource): RecordSource {
  return {
    head: () => source.head(),
    page: (query) => source.page(query),
    get: (id, visible) => source.get(id, visible),
    tagAt: (position) => source.tagAt(position),
    read: (after, limit, tag) => source.read(after, limit, tag),
    watch: (onMoved) => source.watch(onMoved),
  };
}
