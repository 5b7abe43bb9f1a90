/** A resource of the implementation, or one record of it. */
export interface RecordPlace {
  readonly resource: string;
  readonly id: string | undefined;
}

/** `rostack://{implementation}/{resource}`, followed by `/{id}` for one record. */
export const recordUri = (implementation: string, { resource, id }: RecordPlace): string =>
  ['rostack:/', implementation, resource, ...(id === undefined ? [] : [id])]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/');

/** What a URI names; undefined if it does not belong to this implementation. */
export function parseRecordUri(implementation: string, uri: string): RecordPlace | undefined {
  const [, host, resource, id] = /^rostack:\/\/([^/?#]+)\/([^/?#]+)(?:\/([^/?#]+))?$/.exec(uri) ?? [];
  if (host === undefined || resource === undefined) return undefined;
  try {
    if (decodeURIComponent(host) !== implementation) return undefined;
    return {
      resource: decodeURIComponent(resource),
      id: id === undefined ? undefined : decodeURIComponent(id),
    };
  } catch {
    return undefined;
  }
}
