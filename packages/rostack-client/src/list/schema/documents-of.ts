/** URLs of the documents that a schema refers to. */
export function documentsOf(value: unknown, base: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => documentsOf(item, base));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name !== '$ref' || typeof member !== 'string') return documentsOf(member, base);
    const url = URL.parse(member, base);
    return url === null ? [] : [url.href.replace(/#.*/s, '')];
  });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
