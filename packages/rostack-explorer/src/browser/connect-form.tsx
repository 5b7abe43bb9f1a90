import { useEffect, useRef, useState } from 'preact/hooks';
import type { Credential } from 'rostack-client';
import type { ExplorerData } from '../description/explorer-data.ts';
import { Failure, type FailureText, toFailureText } from './parts/failure.tsx';
import type { openSession, Session } from './session/session.ts';

const METHOD_TITLES: Readonly<Record<Credential['method'], string>> = {
  shared_token: 'Shared token',
  oauth2: 'OAuth 2.0 access token',
};

interface ConnectFormProps {
  readonly data: ExplorerData;
  /** A token that is tried at once; undefined: the visitor is asked for one. */
  readonly token: string | undefined;
  readonly onConnected: (session: Session) => void;
}

/** Asks for a token and tries it; unless the link brought one, nothing is sent before the button is pressed. */
export function ConnectForm({ data, token: linked, onConnected }: ConnectFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [method, setMethod] = useState(
    data.methods.includes('shared_token') ? 'shared_token' : data.methods[0],
  );
  const [failure, setFailure] = useState<FailureText>();
  const [busy, setBusy] = useState(false);

  const submit = async (form: HTMLFormElement): Promise<void> => {
    const input = form.elements.namedItem('token') as HTMLInputElement;
    const token = input.value.trim();
    if (token === '' || method === undefined) {
      setFailure({ title: 'There is no token.', advice: 'Paste one into the field.', detail: undefined });
      input.focus();
      return;
    }
    setBusy(true);
    setFailure(undefined);
    try {
      const { openSession } = await loadSession();
      const session = await openSession(data, { method, token });
      input.value = '';
      onConnected(session);
    } catch (error) {
      setFailure(toFailureText(error));
      setBusy(false);
      input.focus();
      input.select();
    }
  };

  useEffect(() => {
    if (linked !== undefined && form.current !== null) void submit(form.current);
  }, []);

  return (
    <form
      ref={form}
      class="connect"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <p id="token-note">
        Paste a token to browse records and watch events. It stays in this page's memory: it is never stored,
        never part of an address, and gone when the page is closed. It is sent to{' '}
        <code>{data.origins.join(' ')}</code> only.
      </p>
      <div class="row">
        {data.methods.length > 1 ? (
          <label class="field">
            Kind
            <select
              value={method}
              onChange={(event) => setMethod(event.currentTarget.value as Credential['method'])}
            >
              {data.methods.map((each) => (
                <option key={each} value={each}>
                  {METHOD_TITLES[each]}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <label class="field grow">
          Token
          <input
            class="secret"
            name="token"
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="token-note"
            defaultValue={linked}
          />
        </label>
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Connecting' : 'Connect'}
        </button>
      </div>
      {failure === undefined ? null : <Failure failure={failure} />}
    </form>
  );
}

/**
 * Loads the client, which is most of the script, only for those who connect. Zod reads its settings when models are made, so
 * they are set before the client's modules run.
 */
async function loadSession(): Promise<{ readonly openSession: typeof openSession }> {
  const { forbidCodeFromText } = await import('./session/zod-settings.ts');
  forbidCodeFromText();
  return import('./session/session.ts');
}
