import { connect } from 'rostack-client';
import { createApp, h, shallowRef } from 'vue';

// #url=https://data.example.com&resource=stations&token=rostack_...: no server sees what is behind the #.
const asked = new URLSearchParams(location.hash.slice(1));
history.replaceState(null, '', location.pathname);

const credential = { method: 'shared_token', token: asked.get('token') ?? '' } as const;
const records = shallowRef<readonly Record<string, unknown>[]>([]);
const says = shallowRef('Reading');

createApp(() => {
  const names = Object.keys(records.value[0] ?? {});
  const cells = (row: Record<string, unknown>) => names.map((name) => h('td', JSON.stringify(row[name])));
  return [
    h('p', { role: 'status' }, says.value),
    h('table', [
      h(
        'thead',
        h(
          'tr',
          names.map((name) => h('th', name)),
        ),
      ),
      h(
        'tbody',
        records.value.map((row) => h('tr', cells(row))),
      ),
    ]),
  ];
}).mount('#page');

try {
  const client = await connect(asked.get('url') ?? '', credential, { allowInsecureLoopback: true });
  const follow = client.follow<Record<string, unknown>>(asked.get('resource') ?? '');
  await follow.run(({ kind }) => {
    records.value = [...follow.records.values()];
    says.value = kind;
  });
} catch (error) {
  says.value = String(error);
}
