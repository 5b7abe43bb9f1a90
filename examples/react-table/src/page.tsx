import { createRoot } from 'react-dom/client';
import { connect } from 'rostack-client';
import { IndexedDbStateStore } from 'rostack-client/browser';
import { RostackProvider, useFollow } from 'rostack-client/react';

const credentials = { method: 'shared_token', token: location.hash.slice(1) } as const;
const query = { sort: ['-/wind'], limit: 3, store: new IndexedDbStateStore('stations') };

function Windiest() {
  const { records, status } = useFollow<{ id: string; wind: number }>('stations', query);
  return records.map(({ id, wind }) => (
    <tr key={id} className={status}>
      <th>{id}</th>
      <td>{wind} m/s</td>
    </tr>
  ));
}

createRoot(document.querySelector('tbody') ?? document.body).render(
  <RostackProvider connect={() => connect(location.origin, credentials, { allowInsecureLoopback: true })}>
    <Windiest />
  </RostackProvider>,
);
