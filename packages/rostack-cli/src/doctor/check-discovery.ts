import { readSchemas } from 'rostack-client';
import { reasonOf } from 'rostack-client/node';
import {
  type AnyDiscoveryDocument,
  auditSchemas,
  DISCOVERY_PATH,
  type DiscoveryError,
  detectRelease,
  hasCode,
  PROTOCOL_VERSION,
  parseDiscovery,
  parseStrictJson,
} from 'rostack-core';
import { checkClock } from './check-clock.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const TIMEOUT_MS = 15_000;
const MAX_SHOWN_FAULTS = 5;

export interface DiscoveryCheck {
  readonly findings: readonly Finding[];
  /** Undefined if it cannot be used. */
  readonly discovery: AnyDiscoveryDocument | undefined;
}

/**
 * Reads the discovery document.
 * @param authorization for one that is not public
 * @param timeServer whom to ask where the clocks differ
 */
export async function checkDiscovery(
  url: URL,
  authorization: string | undefined,
  timeServer: string,
): Promise<DiscoveryCheck> {
  const none = (...findings: Finding[]): DiscoveryCheck => ({ findings, discovery: undefined });
  let answer: Response;
  let text: string;
  try {
    answer = await ask(url, undefined);
    if (answer.status === 401 && authorization !== undefined) answer = await ask(url, authorization);
    text = await answer.text();
  } catch (error) {
    return none(
      fault(
        'discovery',
        `${url.href} cannot be read: ${reasonOf(error)}.`,
        'Try again, or ask whoever runs the server.',
      ),
    );
  }
  const unfit = unfitAnswer(url, answer);
  if (unfit !== undefined) return none(unfit);
  const value = jsonOf(text);
  const { protocol } = (value ?? {}) as {
    readonly protocol?: { readonly name?: unknown; readonly version?: unknown };
  };
  if (protocol?.name !== 'rostack') {
    return none(
      fault(
        'discovery',
        `${url.href} answers with something that is not a discovery document.`,
        'Check the address: it is the origin of a rostack server, or the URL of its discovery document.',
      ),
    );
  }
  if (protocol.version !== PROTOCOL_VERSION) {
    return none(
      fault(
        'release',
        `The server speaks ${String(protocol.version)}; this client speaks ${PROTOCOL_VERSION}.`,
        'Upgrade rostack-client, or look for an address of the other version in alternate_versions.',
      ),
    );
  }
  const release = detectRelease(value);
  try {
    const discovery = parseDiscovery(value, { release });
    const { name, api_version: version } = discovery.implementation;
    return {
      discovery,
      findings: [
        ok(
          'discovery',
          `${name}, API version ${version}, with ${discovery.resources.map((one) => one.name).join(', ')}.`,
        ),
        ok('release', `The document is of release ${release}.`),
        ...(await checkClock(answer, timeServer)),
      ],
    };
  } catch (error) {
    if (!hasCode<DiscoveryError>(error, 'invalid_discovery')) throw error;
    const faults = error.faults.slice(0, MAX_SHOWN_FAULTS).map(({ path, message }) => `${path} ${message}`);
    return none(
      fault(
        'release',
        `The document breaks release ${release}: ${faults.join('; ')}.`,
        'Tell whoever runs the server.',
      ),
    );
  }
}

/** Reads the schemas that the document advertises, and audits them. */
export async function checkSchemas(
  discovery: AnyDiscoveryDocument,
  allowInsecureLoopback: boolean,
): Promise<Finding> {
  try {
    const schemas = await readSchemas(discovery, { allowInsecureLoopback });
    const findings = detectRelease(discovery) === '2026-08-12' ? [] : auditSchemas(schemas);
    const [first] = findings;
    if (first === undefined)
      return ok(
        'schemas',
        schemas.size === 1 ? 'The schema can be read.' : `All ${schemas.size} schemas can be read.`,
      );
    return warning(
      'schemas',
      `${findings.length} places in schemas break the protocol, first ${first.url}#${first.path}: ${first.message}.`,
      'Tell whoever runs the server; records can be read all the same.',
    );
  } catch (error) {
    return warning(
      'schemas',
      `A schema cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      'Tell whoever runs the server; records can be read all the same.',
    );
  }
}

const ask = (url: URL, authorization: string | undefined): Promise<Response> =>
  fetch(url, {
    headers: { accept: 'application/json', ...(authorization !== undefined && { authorization }) },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });

function unfitAnswer(url: URL, { status, headers }: Response): Finding | undefined {
  const server = headers.get('via') ?? headers.get('server');
  const by = server === null ? '' : ` (answered by ${server})`;
  if (status === 200) return undefined;
  if (status === 401 || status === 403) {
    return fault(
      'discovery',
      `Discovery is not public, and the token may not read it (${status}).`,
      'Put a token that may into the environment; see --token-env.',
    );
  }
  if (status >= 300 && status < 400) {
    const target = headers.get('location') ?? 'nowhere';
    return fault(
      'discovery',
      `${url.href} redirects to ${target}${by}.`,
      'Connect to that address: the client follows no redirects, so that credentials go nowhere else.',
    );
  }
  if (status === 404) {
    return fault(
      'discovery',
      `${url.href} is not there (404)${by}.`,
      `This is not a rostack server, or it is behind another address: it serves ${DISCOVERY_PATH} at its origin.`,
    );
  }
  if (status === 407 || status === 511) {
    return fault(
      'discovery',
      `A proxy or this network asks for a login first (${status})${by}.`,
      'Log in there, then try again.',
    );
  }
  return fault(
    'discovery',
    `${url.href} answers ${status}${by}.`,
    status >= 500
      ? 'The server, or a proxy in front of it, fails: try again, then tell whoever runs it.'
      : 'Check the address.',
  );
}

function jsonOf(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}
