import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml';
import { MAX_LEVELS, TOO_DEEP } from '../text/nesting.ts';
import type { PathSegment } from './model/config-schema.ts';

const MAX_ALIASES = 100;

type ParsedDocument = Document.Parsed<ParsedNode>;

/** A place in a text; line and column start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML text, its value, and the position of each part. */
export interface YamlFile {
  readonly value: unknown;
  /** The first fault in the YAML itself; there is no value if there is one. */
  readonly fault: (Position & { readonly message: string }) | undefined;
  /** Position of the value at a path, or of its name; if it is missing, of the innermost part that exists. */
  readonly positionOf: (path: readonly PathSegment[], isAboutName: boolean) => Position;
}

/** Reads one YAML 1.2 document; repeated names and unknown tags are faults. */
export function readYaml(text: string): YamlFile {
  try {
    return readDocument(text);
  } catch (error) {
    // So do the functions that traverse the document.
    if (error instanceof RangeError) return faulty({ line: 1, column: 1, message: TOO_DEEP });
    throw error;
  }
}

function readDocument(text: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const written = [...document.errors, ...document.warnings].map(({ pos: [offset], code, message }) => ({
    ...positionAt(offset),
    // The parser recurses for each level.
    message: code === 'RESOURCE_EXHAUSTION' ? TOO_DEEP : withoutText(message),
  }));
  const unneeded = nodeFaults(document).map(({ offset, message }) => ({ ...positionAt(offset), message }));
  const [fault] = [...written, ...unneeded];
  if (fault !== undefined) return faulty(fault);
  try {
    return {
      value: document.toJS({ maxAliasCount: MAX_ALIASES }),
      fault: undefined,
      positionOf: (path, isAboutName) => positionAt(offsetOf(document, path, isAboutName)),
    };
  } catch {
    // The only thing that can still fail: aliases of aliases that would exhaust memory.
    return faulty({ line: 1, column: 1, message: `More than ${MAX_ALIASES} aliases of aliases` });
  }
}

/** The file may be the wrong one: a message of the parser must not quote it. */
function withoutText(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return line.replace(/(?::\s|(?<= directive| sequence| version)\s).*$/, '');
}

const faulty = (fault: NonNullable<YamlFile['fault']>): YamlFile => ({
  value: undefined,
  fault,
  positionOf: () => fault,
});

/**
 * Faults that YAML allows but a configuration does not: names that are lists or maps, and aliases without an anchor or inside their own
 * anchor.
 */
function nodeFaults(
  document: ParsedDocument,
): readonly { readonly offset: number; readonly message: string }[] {
  const faults: { offset: number; message: string }[] = [];
  visit(document, {
    Collection(_key, { range }, path) {
      // Each level of a map is a node and a pair.
      if (path.filter(isCollection).length < MAX_LEVELS) return undefined;
      faults.push({ offset: range?.[0] ?? 0, message: TOO_DEEP });
      return visit.BREAK;
    },
    Alias(_key, alias, path) {
      const anchored = alias.resolve(document);
      const offset = alias.range?.[0] ?? 0;
      if (anchored === undefined) faults.push({ offset, message: 'There is no anchor for this alias' });
      else if (path.includes(anchored))
        faults.push({ offset, message: 'This alias is inside of what it stands for' });
    },
    Pair(_key, { key }) {
      if (isCollection(key))
        faults.push({ offset: key.range?.[0] ?? 0, message: 'A name has to be a string' });
    },
  });
  return faults;
}

/** Offset of the value at the path, or of its name; if the path leads nowhere, of the last part that exists. */
function offsetOf(document: ParsedDocument, path: readonly PathSegment[], isAboutName: boolean): number {
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
