import { type ConfigMistake, formatPath } from './fault/config-error.ts';
import { nearestName } from './fault/nearest-name.ts';
import {
  alternatives,
  configSchema,
  memberNames,
  type PathSegment,
  type SchemaNode,
  stepInto,
} from './model/config-schema.ts';
import { isSecretReference } from './section/secret.ts';
import { readYaml } from './yaml-file.ts';

/** Names of variables that override the file begin with this. */
export const OVERRIDE_PREFIX = 'ROSTACK__';

/** A value set by an environment variable. */
export interface Override {
  readonly variable: string;
  readonly path: readonly PathSegment[];
}

export interface OverrideResult {
  readonly value: unknown;
  readonly overrides: readonly Override[];
  readonly mistakes: readonly (ConfigMistake & { readonly variable: string })[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names as they can appear in variables: capitals and digits, everything else an underscore. */
const normalize = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');

/**
 * Applies `ROSTACK__A__B=value` to the value of the configuration. The parts between double underscores are names (compared in capitals,
 * with every other character as an underscore) or indexes of a list. An empty variable counts as absent. The text is used as it is where a
 * text is expected, as the secret itself where a secret is expected, and is parsed as YAML elsewhere.
 */
export function applyEnvironment(value: unknown, environment: Environment): OverrideResult {
  const overrides: Override[] = [];
  const mistakes: (ConfigMistake & { readonly variable: string })[] = [];
  let result = value;
  for (const variable of Object.keys(environment).sort()) {
    const text = environment[variable];
    if (!variable.startsWith(OVERRIDE_PREFIX) || text === undefined || text === '') continue;
    const found = findPlace(result, variable.slice(OVERRIDE_PREFIX.length).split('__'));
    if ('message' in found) {
      mistakes.push({ ...found, variable });
      continue;
    }
    const { path, nodes } = found;
    try {
      result = withValueAt(result, path, readText(text, nodes, variable));
      overrides.push({ variable, path });
    } catch {
      mistakes.push({
        path,
        variable,
        message: `${formatPath(path)} is not YAML; write the value as in the file.`,
      });
    }
  }
  return { value: result, overrides, mistakes };
}

interface Place {
  readonly path: readonly PathSegment[];
  readonly nodes: readonly SchemaNode[];
}

function findPlace(root: unknown, parts: readonly string[]): Place | ConfigMistake {
  const path: PathSegment[] = [];
  let nodes = alternatives(configSchema());
  let here = root;
  for (const part of parts) {
    const step = findStep({ nodes, here, part, path });
    if (typeof step === 'object') return step;
    path.push(step);
    nodes = stepInto(nodes, step);
    here = memberOf(here, step);
  }
  return { path, nodes };
}

interface Step {
  readonly nodes: readonly SchemaNode[];
  readonly here: unknown;
  readonly part: string;
  readonly path: readonly PathSegment[];
}

function findStep({ nodes, here, part, path }: Step): PathSegment | ConfigMistake {
  const place = formatPath(path);
  const names = memberNames(nodes);
  if (names.length === 0 && nodes.some(({ items }) => items !== undefined)) {
    const length = Array.isArray(here) ? here.length : 0;
    const index = /^\d{1,6}$/.test(part) ? Number(part) : Number.NaN;
    if (index <= length) return index;
    return {
      path,
      message: `${place} has ${length} items; write an index from 0 to ${length} instead of ${part}.`,
    };
  }
  const present = typeof here === 'object' && here !== null && !Array.isArray(here) ? Object.keys(here) : [];
  const known = [...new Set([...names, ...present])];
  const matching = known.filter((name) => normalize(name) === normalize(part));
  const [only] = matching;
  if (matching.length === 1 && only !== undefined) return only;
  if (matching.length > 1) {
    return {
      path,
      message: `${part} in ${place} may mean ${matching.join(' or ')}; set ${place} as a whole.`,
    };
  }
  const nearest = nearestName(normalize(part), known.map(normalize));
  const advice =
    nearest === undefined
      ? `known here: ${known.map(normalize).join(', ') || 'nothing'}.`
      : `did you mean ${nearest}?`;
  return { path, message: `${part} is unknown in ${place}; ${advice}` };
}

function memberOf(value: unknown, segment: PathSegment): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PathSegment, unknown>)[segment]
    : undefined;
}

function readText(text: string, nodes: readonly SchemaNode[], variable: string): unknown {
  const accepts = (type: string) => nodes.some((node) => node.type === type);
  if (nodes.some(({ secret }) => secret === true)) return secretReference(text) ?? { env: variable };
  const isCollection = (accepts('array') || accepts('object')) && /^\s*[[{]/.test(text);
  const isBoolean = accepts('boolean') && /^(?:true|false)$/.test(text);
  return accepts('string') && !isCollection && !isBoolean ? text : parsed(text);
}

/** The reference that the text holds, written as in the file; undefined if the text is the secret itself. */
function secretReference(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    const reference = parsed(text);
    return isSecretReference(reference) ? reference : undefined;
  } catch {
    return undefined;
  }
}

function withValueAt(root: unknown, path: readonly PathSegment[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const inner = withValueAt(memberOf(root, first), rest, value);
  if (typeof first === 'number') {
    const items: unknown[] = Array.isArray(root) ? [...(root as unknown[])] : [];
    items[first] = inner;
    return items;
  }
  const members = typeof root === 'object' && root !== null && !Array.isArray(root) ? root : {};
  return { ...members, [first]: inner };
}

/** @throws Error if it is not YAML */
function parsed(text: string): unknown {
  const { value, fault } = readYaml(text);
  if (fault !== undefined) throw new Error(fault.message);
  return value;
}
