import { createRoot } from 'react-dom/client';
import { connect } from 'rostack-client';
import { RostackProvider, useFollow } from 'rostack-client/react';

const credentials = { method: 'shared_token', token: location.hash.slice(1) } as const;
const client = await connect(location.origin, credentials, { allowInsecureLoopback: true });

function Windiest() {
  const { records } = useFollow<{ id: string; wind: number }>('stations', { sort: ['-/wind'], limit: 3 });
  return records.map(({ id, wind }) => (
    <tr key={id}>
      <th>{id}</th>
      <td>{wind} m/s</td>
    </tr>
  ));
}

createRoot(document.querySelector('tbody') ?? document.body).render(
  <RostackProvider client={client}>
    <Windiest />
  </RostackProvider>,
);
