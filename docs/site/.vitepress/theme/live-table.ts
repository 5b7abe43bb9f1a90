import type { RostackClient } from 'rostack-client';
import { defineComponent, h, onUnmounted, ref, shallowRef } from 'vue';

const SHOWN_ROWS = 20;
const FIELD =
  'border: 1px solid var(--vp-c-text-3); border-radius: 4px; padding: 4px 8px; flex: 1 1 18em; min-width: 0';
const BUTTON =
  'border-radius: 4px; padding: 4px 14px; background: var(--vp-c-brand-3); color: var(--vp-c-bg); font-weight: 600';

type Row = Readonly<Record<string, unknown>>;

/** The table of a gateway whose link the reader has: its first records, which change as they change there. */
export const LiveTable = defineComponent({
  name: 'LiveTable',
  setup() {
    const link = ref('');
    const says = ref('');
    const rows = shallowRef<readonly Row[]>([]);
    let client: RostackClient | undefined;
    const close = () => void client?.close();
    onUnmounted(close);

    async function show(): Promise<void> {
      close();
      rows.value = [];
      const url = URL.parse(link.value.trim());
      const asked = new URLSearchParams(url?.hash.slice(1));
      const [token, resource] = [asked.get('token'), asked.get('resource')];
      if (url === null || token === null || resource === null) {
        says.value = 'Paste the whole link, with what is behind its #.';
        return;
      }
      says.value = 'Reading';
      try {
        const { connect } = await import('rostack-client');
        const credential = { method: 'shared_token', token } as const;
        client = await connect(url.origin, credential, { allowInsecureLoopback: true });
        const follow = client.follow<Row>(resource);
        await follow.run(({ kind }) => {
          rows.value = [...follow.records.values()].slice(0, SHOWN_ROWS);
          says.value = `${kind === 'live' ? 'Live' : 'Changed just now'}: ${follow.records.size} records`;
        });
      } catch (error) {
        says.value = error instanceof Error ? error.message : String(error);
      }
    }

    return () => {
      const names = Object.keys(rows.value[0] ?? {});
      return h('div', { class: 'live-table' }, [
        h(
          'form',
          {
            style: 'display: flex; flex-wrap: wrap; gap: 8px',
            onSubmit: (event: Event) => {
              event.preventDefault();
              void show();
            },
          },
          [
            h('input', {
              style: FIELD,
              type: 'text',
              autocomplete: 'off',
              spellcheck: false,
              placeholder: 'http://localhost:8080/#token=...',
              'aria-label': 'The link that serve printed',
              onInput: (event: Event) => {
                link.value = (event.target as HTMLInputElement).value;
              },
            }),
            h('button', { style: BUTTON, type: 'submit' }, 'Show'),
          ],
        ),
        h('p', { role: 'status' }, says.value),
        names.length === 0
          ? undefined
          : h('table', [
              h(
                'thead',
                h(
                  'tr',
                  names.map((name) => h('th', { scope: 'col' }, name)),
                ),
              ),
              h(
                'tbody',
                rows.value.map((row) =>
                  h(
                    'tr',
                    names.map((name) =>
                      h('td', typeof row[name] === 'string' ? row[name] : JSON.stringify(row[name])),
                    ),
                  ),
                ),
              ),
            ]),
      ]);
    };
  },
});
