import { alternatives, configSchema, type SchemaNode, stepInto } from './config-schema.ts';

/** The value without the empty members that may as well be absent: a section whose members are all commented out is one. */
export function withoutEmpty(value: unknown, nodes = alternatives(configSchema())): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutEmpty(item, stepInto(nodes, index)));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, member]) => member !== null || !isOptional(name, nodes));
  return Object.fromEntries(
    kept.map(([name, member]) => [name, withoutEmpty(member, stepInto(nodes, name))]),
  );
}

const isOptional = (name: string, nodes: readonly SchemaNode[]) =>
  nodes.some(
    ({ properties, required = [] }) => Object.hasOwn(properties ?? {}, name) && !required.includes(name),
  );
