import { type JsonObject, parseUriTemplate, type Resource } from 'rostack-core';
import { idOf } from './sample.ts';

/** The URL of a record; undefined where it has no member `id` that can be one. */
export function itemUrl(resource: Resource, record: JsonObject): string | undefined {
  const id = idOf(record);
  return id === undefined ? undefined : itemUrlOf(resource, id);
}

/** The URL of the record of an id. */
export const itemUrlOf = ({ item_url_template: template }: Resource, id: string): string =>
  parseUriTemplate(template).expand({ id });
