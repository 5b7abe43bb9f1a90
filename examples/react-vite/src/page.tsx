import { createRoot } from 'react-dom/client';
import { connect } from 'rostack-client';
import { RostackProvider, useFollow } from 'rostack-client/react';

// #url=https://data.example.com&resource=stations&token=rostack_...: no server sees what is behind the #.
const asked = new URLSearchParams(location.hash.slice(1));
const [url, resource, token] = ['url', 'resource', 'token'].map((name) => asked.get(name) ?? '') as [
  string,
  string,
  string,
];
history.replaceState(null, '', location.pathname);

function Records() {
  const { records, status, error } = useFollow<Record<string, unknown>>(resource);
  if (status === 'failed') return <p role="alert">{String(error)}</p>;
  const [first] = records;
  if (first === undefined) return <p>{status === 'pending' ? 'Reading' : 'There are no records.'}</p>;
  const names = Object.keys(first);
  return (
    <table>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record, row) => (
          <tr key={row}>
            {names.map((name) => (
              <td key={name}>{JSON.stringify(record[name])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const credential = { method: 'shared_token', token } as const;
createRoot(document.querySelector('#page') ?? document.body).render(
  <RostackProvider connect={() => connect(url, credential, { allowInsecureLoopback: true })}>
    <Records />
  </RostackProvider>,
);
