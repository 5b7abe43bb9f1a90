import { OTHER_HOST } from '../scene/certificate.ts';
import type { ClientCheck } from '../scene/client-check.ts';

/** A version that clients cannot parse. */
const OPAQUE_VERSION = 'v/7 (Tuesday); q=1';

export const discoveryChecks: readonly ClientCheck[] = [
  {
    name: 'client.discovery.refreshed',
    requirements: ['client.discovery.refresh-after', 'client.discovery.revalidate'],
    options: { discoveryRefreshAfterMs: 1_000 },
    async run(scene) {
      const { server } = scene;
      await scene.established();
      const asked = server.discoveryRequests.length;
      const again = await scene.expect(
        ['client.discovery.refresh-after'],
        'the client reads discovery again after discovery_refresh_after_ms',
        () => server.discoveryRequests.at(asked),
      );
      scene.judge(
        'client.discovery.revalidate',
        again.headers['if-none-match'] !== undefined,
        'the client revalidates with the ETag that it was given',
        'the request has no If-None-Match',
      );
    },
  },
  {
    name: 'client.discovery.unknown-member',
    requirements: ['discovery.closed'],
    async run(scene) {
      const { server } = scene;
      server.document = Object.assign(structuredClone(server.document), { colour: 'red' });
      scene.start();
      await scene.seen(
        ['discovery.closed'],
        'the client reports that the document is none',
        () => scene.adapter.errors[0],
      );
      scene.judge(
        'discovery.closed',
        server.listRequests.length === 0 && server.connections.length === 0,
        'a client takes no discovery document with an unknown member',
        'it used the document',
      );
    },
  },
  {
    name: 'client.discovery.opaque-version',
    requirements: ['version.api'],
    options: { apiVersion: OPAQUE_VERSION },
    async run(scene) {
      const ids = ['version.api'];
      const { server } = scene;
      const connection = await scene.established();
      server.put('a', 9);
      await scene.converged(ids);
      server.script.message = (each, message) => {
        if (message.type !== 'authenticate' || server.connections.indexOf(each) !== 1) return false;
        const { document } = server;
        server.document = {
          ...document,
          implementation: { ...document.implementation, api_version: 'another' },
        };
        each.answer(message);
        server.document = document;
        return true;
      };
      connection.cut();
      const other = await scene.seen(ids, 'the client connects again', () => server.connections[1]);
      await scene.seen(
        ids,
        'the client leaves a gateway of another API version than discovery says',
        () => other.closed,
      );
      scene.judge(
        'version.api',
        other.received('subscribe').length === 0,
        'the client does not subscribe at a gateway of another API version than discovery says',
        'it subscribed',
      );
      await scene.seen(ids, 'the client follows again', () => scene.subscribed(other));
      server.put('b', 9);
      await scene.converged(ids);
    },
  },
  {
    name: 'client.credentials.redirected',
    requirements: ['auth.client-origin'],
    async run(scene) {
      const { server } = scene;
      server.script.http = ({ url }) => {
        if (url.pathname !== server.collectionPath || url.hostname === OTHER_HOST) return undefined;
        const elsewhere = new URL(url);
        elsewhere.hostname = OTHER_HOST;
        return { status: 307, headers: { location: elsewhere.href } };
      };
      scene.start();
      await scene.seen(['auth.client-origin'], 'the client asks for the list', () => server.listRequests[0]);
      await scene.quiet(1_000);
      const told = server.requests.some(
        ({ url, headers }) => url.hostname === OTHER_HOST && headers.authorization !== undefined,
      );
      scene.judge(
        'auth.client-origin',
        !told,
        'the client sends its credential to the origin of the discovery document alone',
        `it followed a redirection to ${OTHER_HOST} with the credential`,
      );
    },
  },
  {
    name: 'client.credentials.revoked',
    requirements: ['client.reconnect.backoff'],
    async run(scene) {
      const { server } = scene;
      const connection = await scene.established();
      server.script.message = (each, message) => {
        if (message.type !== 'authenticate') return false;
        each.send({ type: 'error', code: 'authentication_failed', message: 'revoked', retryable: true });
        each.close(4401);
        return true;
      };
      const before = server.upgradesAtMs.length;
      connection.close(4401);
      await scene.quiet(2_000);
      const tries = server.upgradesAtMs.slice(before);
      const isHot = tries.some((atMs, index) => atMs - (tries[index - 1] ?? 0) < 85);
      scene.judge(
        'client.reconnect.backoff',
        !isHot && tries.length <= 14,
        'a client whose credential is refused gives up, or waits between its attempts',
        `it tried ${tries.length} times in two seconds`,
      );
    },
  },
];
