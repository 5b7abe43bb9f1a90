import { HttpProblem } from './http-problem.ts';

/**
 * Reads the query of a URL: each parameter at most once, and only allowed ones. `+` is a space, as HTML forms write it.
 * @param search the query with its `?`, or empty
 * @throws HttpProblem invalid-request
 */
export function parseQueryString<Name extends string>(
  search: string,
  allowed: readonly Name[],
): Partial<Record<Name, string>> {
  const parameters: Partial<Record<Name, string>> = {};
  for (const pair of search.slice(1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const sent = decode(equals === -1 ? pair : pair.slice(0, equals));
    const name = allowed.find((candidate) => candidate === sent);
    if (name === undefined) throw HttpProblem.of('invalid-request', unknownParameter(sent, allowed));
    if (Object.hasOwn(parameters, name)) {
      throw HttpProblem.of('invalid-request', `The parameter "${name}" stands more than once: give it once.`);
    }
    parameters[name] = decode(equals === -1 ? '' : pair.slice(equals + 1));
  }
  return parameters;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw HttpProblem.of('invalid-request', 'The query is not percent-encoded UTF-8: write "%" as "%25".');
  }
}

function unknownParameter(sent: string, allowed: readonly string[]): string {
  const known = allowed.length === 0 ? 'this URL takes none' : `use ${allowed.join(', ')}`;
  return `The parameter ${JSON.stringify(sent.slice(0, 64))} is unknown: ${known}.`;
}
