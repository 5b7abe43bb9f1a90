import { connect } from 'rostack-client';
import { IndexedDbStateStore, TabFollow } from 'rostack-client/browser';

const credentials = { method: 'shared_token', token: location.hash.slice(1) } as const;
// All tabs share one connection; records and cursor are in IndexedDB.
const follow = new TabFollow<{ id: string; celsius: number }>({
  store: new IndexedDbStateStore('stations'),
  resource: 'stations',
  connect: () => connect(location.origin, credentials, { allowInsecureLoopback: true }),
});
await follow.run(() => {
  const lines = [...follow.records.values()].map(({ id, celsius }) => `${id}: ${celsius} °C`);
  document.body.innerText = lines.join('\n');
});
