import type { RostackClient } from 'rostack-client';
import { reasonOf } from 'rostack-client/node';
import type { AnyDiscoveryDocument, Resource } from 'rostack-core';
import { type Finding, fault, ok, unchecked, warning } from './finding.ts';

const TIMEOUT_MS = 10_000;

/** Reads one record of each resource. Only an answer for whom the token speaks shows that it is taken. */
export async function checkReads(client: RostackClient): Promise<Finding[]> {
  const findings: Finding[] = [];
  let isTaken = false;
  for (const { name, read_permissions: permissions } of client.discovery.resources) {
    try {
      const pages = client.list(name, { pageSize: 1 }).pages();
      await pages.next();
      await pages.return();
      isTaken = true;
      findings.push(ok('read', `${name} can be read.`));
    } catch (error) {
      const { message } = error as { readonly message: string };
      if (answerOf(error).status === 401) {
        return [
          fault(
            'token',
            'The server refuses the token.',
            'It may be mistyped, expired or revoked, or of the other method (--auth): get a new one.',
          ),
        ];
      }
      const isDenied = isPermissionDenied(error);
      isTaken ||= isDenied;
      findings.push(
        isDenied
          ? warning(
              'read',
              `${name} may not be read.`,
              `The token needs ${permissions.join(' and ')}: ask whoever gives out tokens.`,
            )
          : fault('read', `${name} cannot be read: ${message}.`, 'Tell whoever runs the server.'),
      );
    }
  }
  const token = isTaken
    ? ok('token', 'The server takes the token.')
    : unchecked(
        'token',
        'Whether the server takes the token is not known.',
        'Run doctor again when a resource can be read.',
      );
  return [token, ...findings];
}

/** In release 2026-08-12 a problem may have any type: then the status decides. */
function isPermissionDenied(error: unknown): boolean {
  const { code, status } = answerOf(error);
  return code === 'permission-denied' || (code === 'unknown-problem' && status === 403);
}

const answerOf = (error: unknown) => error as { readonly code?: unknown; readonly status?: unknown };

/** Asks for the events of each resource, as the client does. */
export async function checkFollows(client: RostackClient): Promise<Finding[]> {
  const { discovery } = client;
  const followable = discovery.resources.filter(({ events }) => events.length > 0);
  if (followable.length === 0) return [ok('follow', 'No resource has events.')];
  const findings: Finding[] = [];
  for (const resource of followable) findings.push(await checkFollow(client, resource, discovery));
  return findings;
}

async function checkFollow(
  client: RostackClient,
  resource: Resource,
  discovery: AnyDiscoveryDocument,
): Promise<Finding> {
  const { name, subscribe_permissions: permissions } = resource;
  const cursor = await eventCursor(client, name);
  const subscription = client.subscribe(name, {
    ...(cursor !== undefined && { cursor }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  try {
    // The first message shows that the subscription is active: an event, or that there are none.
    await subscription.next();
    return ok('follow', `${name} can be followed.`);
  } catch (error) {
    const { code, name: kind } = error as { readonly code?: unknown; readonly name?: unknown };
    if (code === 'permission_denied') {
      return warning(
        'follow',
        `${name} may not be followed.`,
        `The token needs ${permissions.join(' and ')}: ask whoever gives out tokens.`,
      );
    }
    if (kind === 'TimeoutError') {
      return fault(
        'follow',
        `${name} cannot be followed: the gateway did not answer within ${TIMEOUT_MS} ms.`,
        `Check ${discovery.endpoints.websocket}, and proxies in front of it.`,
      );
    }
    return fault(
      'follow',
      `${name} cannot be followed: ${reasonOf(error)}.`,
      'Tell whoever runs the server.',
    );
  } finally {
    void subscription.close();
  }
}

async function eventCursor(client: RostackClient, name: string): Promise<string | undefined> {
  try {
    const list = client.list(name, { pageSize: 1 });
    const pages = list.pages();
    await pages.next();
    await pages.return();
    return list.eventCursor;
  } catch {
    return undefined;
  }
}
