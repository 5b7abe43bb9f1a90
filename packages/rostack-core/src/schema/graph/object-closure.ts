import { isArray } from '../../text/json.ts';
import { keyword, refusesEverything } from './json-schema.ts';
import type { SchemaGraph } from './schema-graph.ts';
import type { SchemaNode } from './schema-node.ts';
import { compositionOf } from './schema-path.ts';

/** Which objects a place in a schema accepts. */
export interface ObjectClosure {
  /** Whether any object can be valid there. */
  readonly admitsObjects: boolean;
  /** Whether members that the schema does not name are refused. */
  readonly closed: boolean;
}

const isOwnClosed = (node: SchemaNode): boolean =>
  keyword(node.schema, 'additionalProperties') === false ||
  keyword(node.schema, 'unevaluatedProperties') === false;

function ownAdmitsObjects(node: SchemaNode): boolean {
  if (refusesEverything(node.schema)) return false;
  if (typeof node.schema === 'boolean') return true;
  const type = keyword(node.schema, 'type');
  if (typeof type === 'string' && type !== 'object') return false;
  if (isArray(type) && !type.includes('object')) return false;
  const values = keyword(node.schema, 'enum');
  if (isArray(values)) return false;
  return !Object.hasOwn(node.schema, 'const');
}

/** Combinators and references are followed to this depth; a place below it counts as open. */
const MAX_DEPTH = 256;

const OPEN: ObjectClosure = { admitsObjects: true, closed: false };

const isClosed = ({ admitsObjects, closed }: ObjectClosure): boolean => closed || !admitsObjects;

/**
 * Tells for each place in a graph whether objects are valid there and whether they are closed, through references,
 * combinators and conditionals. Values of `const` and `enum` are closed by nature and do not count as objects.
 */
export function createObjectClosure(graph: SchemaGraph): (node: SchemaNode) => ObjectClosure {
  const known = new Map<SchemaNode, ObjectClosure>();

  const closureOf = (node: SchemaNode, depth: number): ObjectClosure => {
    const before = known.get(node);
    if (before !== undefined) return before;
    if (depth > MAX_DEPTH) return OPEN;
    // A node that leads back to itself adds nothing while its own result is pending.
    known.set(node, OPEN);
    const result = decide(node, depth);
    known.set(node, result);
    return result;
  };

  const decide = (node: SchemaNode, depth: number): ObjectClosure => {
    if (!ownAdmitsObjects(node)) return { admitsObjects: false, closed: true };
    const closures = (nodes: readonly SchemaNode[]) => nodes.map((part) => closureOf(part, depth + 1));
    const composition = compositionOf(graph, node);
    const all = closures(composition.all);
    const choices = composition.choices.map(closures);
    const admitsObjects =
      all.every((branch) => branch.admitsObjects) &&
      choices.every((list) => list.some((branch) => branch.admitsObjects));
    if (!admitsObjects) return { admitsObjects, closed: true };
    const [test, passed, failed] = ['if', 'then', 'else'].map((name) =>
      closures(
        graph
          .inside(node)
          .filter(({ keyword }) => keyword === name)
          .map((branch) => branch.node),
      ),
    );
    const closed =
      isOwnClosed(node) ||
      all.some(isClosed) ||
      choices.some((list) => list.every(isClosed)) ||
      conditionalCloses(test, passed, failed);
    return { admitsObjects, closed };
  };

  return (node) => closureOf(node, 0);
}

/** `if` and `then` apply to a value that passes `if`, and `else` to any other value. */
function conditionalCloses(
  test: readonly ObjectClosure[] = [],
  passed: readonly ObjectClosure[] = [],
  failed: readonly ObjectClosure[] = [],
): boolean {
  return test.length > 0 && [...test, ...passed].some(isClosed) && failed.some(isClosed);
}
