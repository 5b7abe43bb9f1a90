import { loadLaterParts } from '../load-later-parts.ts';

/** The URL of a record. Few templates have more than `{id}`: the code for those is loaded when it is needed. @throws NetworkError */
export async function itemUrl(template: string, id: string): Promise<string> {
  const url = template.replaceAll('{id}', encodeValue(id));
  if (!url.includes('{')) return url;
  const { parseUriTemplate } = await loadLaterParts();
  return parseUriTemplate(template).expand({ id });
}

/** Keeps unreserved characters alone (RFC 6570 section 3.2.2). */
const encodeValue = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
