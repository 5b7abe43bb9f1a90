import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import type { PathSegment } from './config-schema.ts';

/** A YAML text, its value, and where each part of it stands. */
export interface YamlFile {
  readonly value: unknown;
  /** What is wrong with the YAML itself; then there is no value. */
  readonly faults: readonly { readonly position: string; readonly message: string }[];
  /** `line:column` of the value at a path, or of its name; of what is around it where it is missing. */
  readonly positionOf: (path: readonly PathSegment[], isAboutName: boolean) => string;
}

/** Reads one YAML 1.2 document; repeated names and unknown tags are faults. */
export function readYaml(text: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const positionAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const faults = [...document.errors, ...document.warnings].map(({ pos: [offset], message }) => ({
    position: positionAt(offset),
    message: message.replaceAll(/\s+/g, ' ').trim(),
  }));
  return {
    value: faults.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 }),
    faults: faults.slice(0, 1),
    positionOf: (path, isAboutName) => positionAt(offsetOf(document, path, isAboutName)),
  };
}

/** Where the value at the path begins, or its name; where the way ends, the last thing found on it. */
function offsetOf(
  document: Document.Parsed<ParsedNode>,
  path: readonly PathSegment[],
  isAboutName: boolean,
): number {
  let node: Node | null | undefined = document.contents;
  let found = node?.range?.[0] ?? 0;
  for (const [index, segment] of path.entries()) {
    const isLast = index === path.length - 1;
    const pair = stepInto(isAlias(node) ? node.resolve(document) : node, segment);
    if (pair === undefined) return found;
    found = pair.name ?? pair.value?.range?.[0] ?? found;
    node = pair.value;
    if (isLast && !isAboutName) found = node?.range?.[0] ?? found;
  }
  return found;
}

interface Step {
  /** Offset of the member's name. */
  readonly name: number | undefined;
  readonly value: Node | null;
}

function stepInto(node: Node | null | undefined, segment: PathSegment): Step | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(segment)] as Node | undefined;
    return item && { name: undefined, value: item };
  }
  if (!isMap<Node, Node | null>(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
  return pair && { name: pair.key.range?.[0], value: pair.value };
}
