import { createUriMatcher, parseUriTemplate } from 'rostack-core';
import { originOf } from './hosts.ts';

/** simple expansion of the id alone, as nearly every template has it: others take ten times as long to match */
const SIMPLE_PATH = /^([^{}]*)\{id\}([^{}]*)$/;
/** what simple expansion writes, and the characters that it need not have encoded (RFC 6570 section 3.2.2) */
const ENCODED_ID = /^(?:[\w.~!'()*,-]|%[0-9A-Fa-f]{2})+$/;
/** literal `name={id}` in the query of a template */
const LITERAL_ID_PARAMETER = /[?&]([^?&={}]+)=\{id\}/;
/** `{?a,id}` and `{&a,id}`: form-style expansion, in which the parameter has the variable's name (RFC 6570 section 3.2.8) */
const EXPANDED_ID_PARAMETER = /\{[?&](?:[^{}]*,)?id(?:,[^{}]*)?\}/;

/** Finds the id in the URLs that an item URL template makes. */
export class ItemMatcher {
  /** Name of the query parameter that holds the id; undefined where the path holds it. */
  readonly idParameter: string | undefined;
  readonly #matchPath: (path: string) => string | undefined;

  /** @throws RangeError when the template has `{id}` neither in its path nor as a query parameter */
  constructor(template: string) {
    const pathAndQuery = template.slice(originOf(template).length);
    const queryStart = pathAndQuery.search(/\{[?&]|\?/);
    const path = queryStart === -1 ? pathAndQuery : pathAndQuery.slice(0, queryStart);
    const query = queryStart === -1 ? '' : pathAndQuery.slice(queryStart);
    const pathTemplate = parseUriTemplate(path);
    const [, front, end = ''] = SIMPLE_PATH.exec(path) ?? [];
    if (front !== undefined) {
      this.#matchPath = matchBetween(parseUriTemplate(front).expand({}), parseUriTemplate(end).expand({}));
      return;
    }
    if (pathTemplate.variables.includes('id')) {
      const match = createUriMatcher(path);
      this.#matchPath = (text) => idOf(match(text));
      return;
    }
    this.idParameter = EXPANDED_ID_PARAMETER.test(query) ? 'id' : LITERAL_ID_PARAMETER.exec(query)?.[1];
    if (this.idParameter === undefined) throw new RangeError(`the item URL template ${template} has no {id}`);
    const fixedPath = pathTemplate.expand({});
    this.#matchPath = (text) => (text === fixedPath ? '' : undefined);
  }

  /** The id in a percent-encoded path (empty where the query holds it), or undefined when the path is no item's. */
  match(path: string): string | undefined {
    return this.#matchPath(path);
  }
}

function matchBetween(front: string, end: string): (path: string) => string | undefined {
  return (path) => {
    if (!path.startsWith(front) || !path.endsWith(end)) return undefined;
    const encoded = path.slice(front.length, path.length - end.length);
    if (!ENCODED_ID.test(encoded)) return undefined;
    if (!encoded.includes('%')) return encoded;
    try {
      return decodeURIComponent(encoded);
    } catch {
      return undefined;
    }
  };
}

/** A comma that was not encoded reads as a list of one value per part: it belongs to the id all the same. */
function idOf(values: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const value = values?.id;
  const id = Array.isArray(value) ? value.join(',') : value;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
