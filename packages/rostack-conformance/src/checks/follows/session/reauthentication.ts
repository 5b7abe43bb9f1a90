import { gatewayCheck } from '../trial/gateway-check.ts';
import { saidInstead } from '../trial/gateway-trial.ts';

/** Further credentials on the same connection. */
export const reauthentication = gatewayCheck({
  name: 'follows.reauthentication',
  requirements: [
    'ws.auth.again',
    'ws.auth.again-same',
    'ws.auth.again-rejected',
    'err.ws.code.reauthentication_identity_mismatch',
    'err.ws.code.authentication_failed',
  ],
  async run(trial) {
    const { tokens, findings, discovery } = trial.context;
    const { name: resource } = trial.resource;
    const probe = await trial.session();
    const definition = { subscription_id: 'kept', resource };
    await trial.subscribed(probe, definition);

    const again = await trial.authenticate(probe, tokens.main);
    const kept = await trial.subscribe(probe, definition);
    const isKept = again?.type === 'authenticated' && kept?.type === 'subscribed';
    const got = again?.type === 'authenticated' ? saidInstead(kept, probe) : saidInstead(again, probe);
    trial.judge(
      'ws.auth.again',
      isKept,
      'A client may authenticate again, and keeps its subscriptions.',
      got,
      probe,
    );

    const refused = await trial.authenticate(probe, 'no-such-credential');
    const isRefused = refused?.members.code === 'authentication_failed';
    const expectedRefusal = 'A replacement that is rejected gets authentication_failed.';
    trial.judge(
      'err.ws.code.authentication_failed',
      isRefused,
      expectedRefusal,
      saidInstead(refused, probe),
      probe,
    );
    const isServed = isRefused && (await trial.ping(probe));
    const expectedAfter = `${expectedRefusal} The old credential goes on counting.`;
    trial.judge('ws.auth.again-rejected', isServed, expectedAfter, saidInstead(refused, probe), probe);

    const offered = new Set<string>(discovery.authentication.methods.map(({ type }) => type));
    const others = [
      ...(tokens.second === undefined ? [] : [{ method: tokens.method, token: tokens.second }]),
      ...(offered.size > 1
        ? [{ method: tokens.method === 'oauth2' ? 'shared_token' : 'oauth2', token: tokens.main }]
        : []),
    ];
    if (others.length === 0) {
      for (const id of ['ws.auth.again-same', 'err.ws.code.reauthentication_identity_mismatch']) {
        findings.skip(id, 'no second token');
      }
    }
    for (const other of others) {
      const session = await trial.session();
      const answer = await trial.authenticate(session, other.token, other.method);
      const { code } = answer?.members ?? {};
      const isMismatch = code === 'reauthentication_identity_mismatch';
      const expected = 'Another principal or method gets reauthentication_identity_mismatch.';
      const said = saidInstead(answer, session);
      trial.judge('ws.auth.again-same', answer?.type !== 'authenticated', expected, said, session);
      // A credential that is not valid for the other method does not show who its principal is.
      if (other.method !== tokens.method && code === 'authentication_failed') continue;
      trial.judge('err.ws.code.reauthentication_identity_mismatch', isMismatch, expected, said, session);
    }
  },
});
