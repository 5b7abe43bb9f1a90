import { type Check, type Finding, read, readItems, readMembers, repeated } from '../model/check.ts';
import { FIELD_POINTER_PATTERN, MEDIA_TYPE_PATTERN } from '../model/text.ts';
import { HTTPS_TEMPLATE_PATTERN } from '../model/uri-pattern.ts';
import { TRANSITIONS } from '../record/change.ts';
import { RELEASES, SPEC_BASE_URL } from '../release/release.ts';
import { parseTemplateParts } from '../uri-template/template-parts.ts';
import { ITEM_TEMPLATE_SHAPE, JSON_MEDIA_TYPE, MEDIA_TYPE_SHAPE } from './resource-model.ts';

/** Runs a rule on each resource; its findings are relative to the resource. */
const eachResource = (find: (resource: unknown) => Iterable<Finding>): Check['find'] =>
  function* (document) {
    for (const [index, resource] of readItems(document, 'resources')) {
      for (const { keys, message } of find(resource)) {
        yield { keys: ['resources', index, ...keys], message };
      }
    }
  };

const isWrongPointer = (name: unknown): boolean =>
  typeof name === 'string' && name.startsWith('/') && !FIELD_POINTER_PATTERN.test(name);

const isUnderSpec = (url: string): boolean => url === SPEC_BASE_URL || url.startsWith(`${SPEC_BASE_URL}/`);

export const RESOURCE_CHECKS: readonly Check[] = [
  {
    name: 'resource_name_unique',
    releases: RELEASES,
    find: (document) => repeated(readItems(document, 'resources'), 'name', ['resources']),
  },
  {
    name: 'item_url_template_usable',
    releases: RELEASES,
    find: eachResource(function* (resource) {
      const template = read(resource, 'item_url_template');
      if (typeof template !== 'string' || !ITEM_TEMPLATE_SHAPE.test(template)) return;
      if (HTTPS_TEMPLATE_PATTERN.test(template)) return;
      const message =
        'must be an https URI template (RFC 6570) with a literal origin and no user information';
      yield { keys: ['item_url_template'], message };
    }),
  },
  {
    name: 'item_url_requires_only_id',
    releases: RELEASES,
    find: eachResource(function* (resource) {
      const template = read(resource, 'item_url_template');
      if (typeof template !== 'string') return;
      const keys = ['item_url_template'];
      for (const { name, required } of templateVariables(template)) {
        if (required && name !== 'id') yield { keys, message: `must not require the variable {${name}}` };
      }
    }),
  },
  {
    name: 'json_representation',
    releases: RELEASES,
    find: eachResource(function* (resource) {
      const representations = readItems(resource, 'representations');
      if (representations.length === 0) return;
      if (representations.some(([, item]) => read(item, 'media_type') === JSON_MEDIA_TYPE)) return;
      yield { keys: ['representations'], message: `must hold one for ${JSON_MEDIA_TYPE}` };
    }),
  },
  {
    name: 'media_type_valid',
    releases: RELEASES,
    find: eachResource(function* (resource) {
      for (const [index, item] of readItems(resource, 'representations')) {
        const type = read(item, 'media_type');
        if (typeof type !== 'string' || !MEDIA_TYPE_SHAPE.test(type) || MEDIA_TYPE_PATTERN.test(type))
          continue;
        const keys = ['representations', index, 'media_type'];
        yield { keys, message: 'must be a media type such as application/json' };
      }
    }),
  },
  {
    name: 'field_pointer_valid',
    releases: RELEASES,
    find: eachResource(function* (resource) {
      const message = 'must be a JSON Pointer (RFC 6901): "~" occurs only in ~0 and ~1';
      for (const [name] of readMembers(resource, 'filtering', 'filterable_fields')) {
        if (isWrongPointer(name)) yield { keys: ['filtering', 'filterable_fields', name], message };
      }
      for (const [index, name] of readItems(resource, 'filtering', 'sortable_fields')) {
        if (isWrongPointer(name)) yield { keys: ['filtering', 'sortable_fields', index], message };
      }
    }),
  },
  {
    name: 'event_name_unique',
    releases: RELEASES,
    find: eachResource((resource) => repeated(readItems(resource, 'events'), 'name', ['events'])),
  },
  {
    name: 'event_filtering_has_one_descriptor_per_transition',
    releases: RELEASES,
    find: eachResource(function* (resource) {
      if (read(resource, 'event_filtering') !== true) return;
      const transitions = readItems(resource, 'events').map(([, event]) => read(event, 'state_transition'));
      for (const transition of TRANSITIONS) {
        const count = transitions.filter((other) => other === transition).length;
        if (count === 1) continue;
        yield {
          keys: ['event_filtering'],
          message: `needs exactly one event with state_transition ${JSON.stringify(transition)}, there are ${count}`,
        };
      }
    }),
  },
  {
    name: 'permission_registered',
    releases: RELEASES,
    find(document) {
      const registry = new Set(readMembers(document, 'authentication', 'permissions').map(([name]) => name));
      return eachResource(function* (resource) {
        for (const list of ['read_permissions', 'subscribe_permissions']) {
          for (const [index, name] of readItems(resource, list)) {
            if (typeof name !== 'string' || registry.has(name)) continue;
            yield {
              keys: [list, index],
              message: `${JSON.stringify(name)} must be listed in authentication.permissions`,
            };
          }
        }
      })(document);
    },
  },
  {
    name: 'filter_operator_advertised',
    releases: RELEASES,
    find(document) {
      const operators = new Set(
        readItems(document, 'capabilities', 'filter_operators').map(([, operator]) => operator),
      );
      return eachResource(function* (resource) {
        for (const [pointer, list] of readMembers(resource, 'filtering', 'filterable_fields')) {
          for (const [index, operator] of readItems(list)) {
            if (typeof operator !== 'string' || operators.has(operator)) continue;
            yield {
              keys: ['filtering', 'filterable_fields', pointer, index],
              message: `${JSON.stringify(operator)} must be listed in capabilities.filter_operators`,
            };
          }
        }
      })(document);
    },
  },
  {
    name: 'schema_url_owned',
    releases: ['2026-08-13'],
    find: eachResource(function* (resource) {
      for (const list of ['representations', 'events']) {
        for (const [index, item] of readItems(resource, list)) {
          const url = read(item, 'schema_url');
          if (typeof url !== 'string' || !isUnderSpec(url)) continue;
          yield { keys: [list, index, 'schema_url'], message: `must not lie under ${SPEC_BASE_URL}` };
        }
      }
    }),
  },
];

/** A variable of a URI template. */
interface TemplateVariable {
  readonly name: string;
  /** False inside `{?...}` and `{&...}`: query parameters can be omitted. */
  readonly required: boolean;
}

/** The variables of a template in order; none if the template is malformed, which the schema reports. */
function templateVariables(template: string): TemplateVariable[] {
  let parts: ReturnType<typeof parseTemplateParts>;
  try {
    parts = parseTemplateParts(template);
  } catch {
    return [];
  }
  return parts.flatMap((part) => {
    if (part.kind === 'literal') return [];
    const required = part.operator !== '?' && part.operator !== '&';
    return part.variables.map(({ name }) => ({ name, required }));
  });
}
