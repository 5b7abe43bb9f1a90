import { parsePointer, parseRowRule } from 'rostack-core';
import { nodesAt, type PathSegment } from '../model/config-schema.ts';
import type { GatewayConfig } from '../model/gateway-config.ts';

/** Members of the declaration that the configuration keeps elsewhere. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  id: ['identity', 'id'],
  name: ['identity', 'name'],
  apiVersion: ['identity', 'api_version'],
  baseUrl: ['public_url'],
  urls: ['public_url'],
};
const OF_REPRESENTATION: Readonly<Record<string, string>> = { model: 'schema', permissions: 'requires' };

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The path in the configuration that a JSON Pointer into its declaration comes from. */
export function configPath(pointer: string, config: GatewayConfig): readonly PathSegment[] {
  const [first = '', name = '', member = '', ...below] = parsePointer(pointer);
  if (first === 'resources' && member !== '')
    return withIndexes([first, name, ...memberPath(config, name, member, below)]);
  return ELSEWHERE[first] ?? withIndexes(parsePointer(pointer).map(toSnakeCase));
}

function memberPath(
  { resources }: GatewayConfig,
  name: string,
  member: string,
  below: readonly string[],
): readonly string[] {
  const { representations = {}, visible = {} } = resources[name] ?? {};
  const [first = '', inner = '', ...deeper] = below;
  switch (member) {
    case 'model':
      return ['schema'];
    case 'representations': {
      const own = OF_REPRESENTATION[inner];
      const mediaType = Object.keys(representations)[Number(first)] ?? '';
      return [member, mediaType, ...(own === undefined ? [] : [own, ...deeper])];
    }
    case 'events':
      return [member, ...below.slice(0, 2)];
    case 'visible':
      // A fault of a field, or of the rule as a whole.
      return [
        member,
        ...(first === 'fields' ? parsePointer(parseRowRule(visible).fields[Number(inner)]?.path ?? '') : []),
      ];
    default:
      return [toSnakeCase(member), ...below];
  }
}

/** With numbers where the configuration has lists. */
const withIndexes = (path: readonly string[]): readonly PathSegment[] =>
  path.reduce<PathSegment[]>((before, segment) => {
    const isIndex = /^\d+$/.test(segment) && nodesAt(before).nodes.some(({ items }) => items !== undefined);
    return [...before, isIndex ? Number(segment) : segment];
  }, []);
