import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { reasonOf } from 'rostack-client/node';
import { SUBPROTOCOL } from 'rostack-core';
import { type Finding, fault, ok } from './finding.ts';

const TIMEOUT_MS = 10_000;
const PASS_ON =
  'Let proxies in front of the server pass upgrades on: the header fields Upgrade and Connection, by HTTP/1.1 (RFC 6455).';

/** Asks the gateway for a WebSocket, and says what answers instead if there is none. @param url of ws or wss */
export async function checkUpgrade(url: URL): Promise<Finding> {
  const isSecure = url.protocol === 'wss:';
  const address = new URL(url.href.replace(/^ws/, 'http'));
  const asked = (isSecure ? requestSecure : requestPlain)(address, {
    agent: false,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      'sec-websocket-protocol': SUBPROTOCOL,
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  try {
    return await new Promise<Finding>((resolve, reject) => {
      asked.on('error', reject);
      asked.on('response', (answer) => resolve(refused(url, answer)));
      asked.on('upgrade', (answer, socket) => {
        socket.destroy();
        resolve(upgraded(url, answer));
      });
      asked.end();
    });
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'AbortError';
    const reason = isTimeout ? `no answer within ${TIMEOUT_MS} ms` : reasonOf(error);
    return fault('websocket', `${url.href} cannot be upgraded: ${reason}.`, PASS_ON);
  } finally {
    asked.destroy();
  }
}

function upgraded({ href }: URL, { headers }: IncomingMessage): Finding {
  const chosen = headers['sec-websocket-protocol'];
  if (chosen === SUBPROTOCOL) return ok('websocket', `${href} upgrades to ${SUBPROTOCOL}.`);
  return fault(
    'websocket',
    `${href} upgrades to ${chosen ?? 'no subprotocol'}, not to ${SUBPROTOCOL}.`,
    'Check endpoints.websocket of the discovery document: another WebSocket server answers there.',
  );
}

function refused({ href }: URL, { statusCode = 0, headers }: IncomingMessage): Finding {
  const [by] = [headers.via ?? headers.server].flat();
  const says = `${href} answers ${statusCode} instead of 101${by === undefined ? '' : ` (answered by ${by})`}.`;
  if (statusCode === 403) {
    return fault(
      'websocket',
      says,
      'The server, or a firewall in front of it, refuses WebSockets from here: ask whoever runs it.',
    );
  }
  if (statusCode === 429 || statusCode === 503) {
    return fault('websocket', says, 'There are too many connections: try again later, or close others.');
  }
  return fault('websocket', says, PASS_ON);
}
