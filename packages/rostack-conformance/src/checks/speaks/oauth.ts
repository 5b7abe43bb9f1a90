import { KitError } from '../../base/kit-error.ts';
import type { Check } from '../../check/check.ts';
import { describeAnswer } from '../../probe/judge-problem.ts';

const METADATA = 'discovery.oauth-metadata';

/** The metadata of the authorization server is where discovery says, and names its issuer (RFC 8414). */
export const oauthMetadata: Check = {
  name: 'speaks.oauth',
  level: 'speaks',
  requirements: [METADATA],
  needs: ['oauth2'],
  async run({ discovery, findings, http }) {
    for (const method of discovery.authentication.methods) {
      if (method.type !== 'oauth2') continue;
      const url = method.authorization_server_metadata;
      try {
        const answer = await http.get(url);
        const { issuer } = (answer.json ?? {}) as { readonly issuer?: unknown };
        const isRight = answer.status === 200 && typeof issuer === 'string' && URL.canParse(issuer);
        findings.judge(METADATA, isRight, () => ({
          expected: 'The metadata of the authorization server is JSON with an issuer (RFC 8414).',
          got: isRight ? '' : describeAnswer(answer),
          exchange: answer.exchange,
        }));
      } catch (error) {
        if (!(error instanceof KitError && error.code === 'unreachable')) throw error;
        findings.skip(METADATA, `the authorization server cannot be reached from here: ${url}`);
      }
    }
  },
};
