import type { z } from 'zod';
import { memberNames, nodesAt, type PathSegment } from '../model/config-schema.ts';
import { type ConfigMistake, formatPath } from './config-error.ts';
import { nearestName } from './nearest-name.ts';

type Issue = z.core.$ZodIssue;

const MAX_SHOWN = 60;
const DEFAULT_MESSAGE = 'Invalid input';

/** What the model found wrong, as sentences that say what to write. */
export function describeIssue(issue: Issue, base: readonly PathSegment[] = []): readonly ConfigMistake[] {
  const path = [...base, ...issue.path.map((segment) => (typeof segment === 'symbol' ? '' : segment))];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownMember(path, key));
  if (issue.code === 'invalid_union') {
    const meant = meantAlternative(issue.errors);
    if (meant !== undefined) return meant.flatMap((inner) => describeIssue(inner, path));
  }
  if (issue.code === 'invalid_key') return [wrongName(path)];
  if (issue.code === 'custom' && issue.message !== DEFAULT_MESSAGE) {
    const gap = issue.message.startsWith(':') ? '' : ' ';
    return [{ path, message: `${formatPath(path)}${gap}${issue.message}.` }];
  }
  return [wrongValue(path, issue.input)];
}

/** The alternative that was meant, even though something in it is wrong: the one with the fewest issues. */
function meantAlternative(errors: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const isMeant = (issue: Issue) =>
    issue.path.length > 0 ||
    issue.code === 'unrecognized_keys' ||
    (issue.code === 'custom' && issue.message !== DEFAULT_MESSAGE);
  return errors.filter((issues) => issues.every(isMeant)).sort((a, b) => a.length - b.length)[0];
}

function unknownMember(path: readonly PathSegment[], key: string): ConfigMistake {
  const known = memberNames(nodesAt(path).nodes);
  const full = [...path, key];
  if (known.includes(key)) {
    return {
      path: full,
      isAboutName: true,
      message: `${formatPath(full)} is one too many; write only one of ${known.join(', ')}.`,
    };
  }
  const nearest = nearestName(key, known);
  const advice = nearest === undefined ? `known here: ${known.join(', ')}` : `did you mean ${nearest}?`;
  return {
    path: full,
    isAboutName: true,
    message: `${formatPath(full)} is unknown; ${advice}${nearest === undefined ? '.' : ''}`,
  };
}

function wrongName(path: readonly PathSegment[]): ConfigMistake {
  const parent = nodesAt(path.slice(0, -1)).nodes;
  const write = parent.find(({ propertyNames }) => propertyNames?.write !== undefined)?.propertyNames?.write;
  return {
    path,
    isAboutName: true,
    message: `${JSON.stringify(path.at(-1))} in ${formatPath(path.slice(0, -1))} is not a usable name; write ${write ?? 'another'}.`,
  };
}

function wrongValue(path: readonly PathSegment[], input: unknown): ConfigMistake {
  const { nodes, isSecret } = nodesAt(path);
  const write = nodes.find((node) => node.write !== undefined)?.write ?? writeByType(nodes);
  const place = formatPath(path);
  if (input === undefined) return { path, message: `${place} is missing; write ${write}.` };
  if (isSecret || isWithCredentials(input)) {
    const isReference =
      nodes.some(({ secret }) => secret === true) && !nodes.some(({ type }) => type === 'string');
    const fault =
      isReference && typeof input === 'string' ? 'holds the secret itself' : 'cannot be used as it is';
    return { path, message: `${place} ${fault}; write ${write}.` };
  }
  // A file that is a single string is probably the wrong file, so none of it is shown.
  const found = path.length === 0 && typeof input === 'string' ? 'one string' : show(input);
  return { path, message: `${place} is ${found}; write ${write}.` };
}

/** A URL with a user, perhaps with a password, which must not be shown. */
const isWithCredentials = (input: unknown) => typeof input === 'string' && /:\/\/.*@/.test(input);

function writeByType(nodes: ReturnType<typeof nodesAt>['nodes']): string {
  const names = memberNames(nodes);
  if (names.length > 0) return `a map with ${names.slice(0, 6).join(', ')}${names.length > 6 ? ', ...' : ''}`;
  if (nodes.some(({ type }) => type === 'array')) return 'a list';
  return 'a map';
}

function show(input: unknown): string {
  if (input === null) return 'empty';
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : 'a list';
  if (typeof input === 'object') return Object.keys(input).length === 0 ? 'an empty map' : 'a map';
  // JSON has no NaN or infinity and would print null.
  const text = typeof input === 'number' ? String(input) : (JSON.stringify(input) ?? typeof input);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
