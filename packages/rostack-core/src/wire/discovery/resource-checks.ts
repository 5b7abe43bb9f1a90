import { TRANSITIONS } from '../../record/change.ts';
import { type CrossCheck, type Finding, read, readItems, readMembers, repeated } from '../model/check.ts';
import { EXPRESSION_PATTERN } from '../model/uri-pattern.ts';
import { RELEASES, SPEC_BASE_URL } from '../release/release.ts';
import { JSON_MEDIA_TYPE } from './resource-model.ts';

/** Runs a rule on each resource; its findings are relative to the resource. */
const eachResource = (find: (resource: unknown) => Iterable<Finding>): CrossCheck['find'] =>
  function* (document) {
    for (const [index, resource] of readItems(document, 'resources')) {
      for (const { keys, message } of find(resource)) {
        yield { keys: ['resources', index, ...keys], message };
      }
    }
  };

const isUnderSpec = (url: string): boolean => url === SPEC_BASE_URL || url.startsWith(`${SPEC_BASE_URL}/`);

export const RESOURCE_CHECKS: readonly CrossCheck[] = [
  {
    name: 'resource_name_unique',
    releases: RELEASES,
    find: (document) => repeated(readItems(document, 'resources'), 'name', ['resources']),
  },
  {
    name: 'item_url_requires_only_id',
    releases: RELEASES,
    find: eachResource(function* (resource) {
      const template = read(resource, 'item_url_template');
      if (typeof template !== 'string') return;
      const keys = ['item_url_template'];
      for (const name of requiredVariables(template)) {
        if (name !== 'id') yield { keys, message: `must not require the variable {${name}}` };
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
          yield { keys: [list, index, 'schema_url'], message: `must not be under ${SPEC_BASE_URL}` };
        }
      }
    }),
  },
];

/** Names of the variables outside `{?...}` and `{&...}`: query parameters can be left out. */
const requiredVariables = (template: string): string[] =>
  (template.match(EXPRESSION_PATTERN) ?? [])
    .filter((expression) => !/^.[?&]/.test(expression))
    .flatMap((expression) => expression.replace(/^.[+#./;]?|\}$/g, '').split(','))
    .map((variable) => variable.replace(/[:*].*/, ''));
