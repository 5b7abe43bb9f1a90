import { DISCOVERY_PATH } from 'rostack-core';
import type { Check } from '../check/check.ts';
import { mediaTypeOf } from '../http/exchange.ts';

const PATH = 'discovery.path';

/** The document is where it belongs. */
export const discoveryDocument: Check = {
  name: 'speaks.discovery.document',
  level: 'speaks',
  requirements: [PATH],
  needs: [],
  withoutDiscovery: true,
  async run({ http, findings, tokens }) {
    const anonymous = await http.get(DISCOVERY_PATH);
    const response =
      anonymous.status === 401 && tokens.hasMain
        ? await http.get(DISCOVERY_PATH, { token: tokens.main })
        : anonymous;
    const { status, json, exchange } = response;
    const mediaType = mediaTypeOf(exchange);
    findings.judge(PATH, status === 200 && mediaType === 'application/json' && json !== undefined, () => ({
      expected: `GET ${DISCOVERY_PATH} is answered with 200 and JSON as application/json.`,
      got: `${status} with a body of ${mediaType === '' ? 'no media type' : mediaType}`,
      exchange,
    }));
  },
};
