import { type ErrorDeclaration, PROBLEM_TYPES, problemSlug, WEBSOCKET_ERRORS } from 'rostack-core';
import { PROBLEM_ADVICE, WEBSOCKET_ADVICE } from '../description/words.ts';
import { Scroller } from './parts.tsx';

function HttpErrors({ declared }: { readonly declared: ErrorDeclaration['http'] }) {
  return (
    <Scroller label="Problems of the JSON API">
      <table>
        <thead>
          <tr>
            <th scope="col">Problem</th>
            <th scope="col">Status</th>
            <th scope="col">Sent by</th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          {declared.map(({ type, operations }) => {
            const slug = problemSlug(type);
            return (
              <tr>
                <th scope="row">
                  <a href={type}>
                    <code>{slug ?? type}</code>
                  </a>
                </th>
                <td>{slug && PROBLEM_TYPES[slug].status}</td>
                <td>{operations.join(', ')}</td>
                <td>{slug && PROBLEM_ADVICE[slug]}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroller>
  );
}

function WebSocketErrors({ declared }: { readonly declared: ErrorDeclaration['websocket'] }) {
  return (
    <Scroller label="Errors of the WebSocket gateway">
      <table>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Retry</th>
            <th scope="col">Sent in</th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          {declared.map(({ code, operations }) => (
            <tr>
              <th scope="row">
                <code>{code}</code>
              </th>
              <td>{WEBSOCKET_ERRORS[code].retryable ? 'yes' : 'no'}</td>
              <td>{operations.join(', ')}</td>
              <td>{WEBSOCKET_ADVICE[code]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

/** Every error that discovery declares, where it can occur, and what to do about it. */
export function Errors({ errors }: { readonly errors: ErrorDeclaration }) {
  return (
    <section id="errors" aria-labelledby="errors-title">
      <h2 id="errors-title">Errors</h2>
      <p>Nothing else is ever sent: these lists are a promise of the discovery document.</p>
      <h3>JSON API</h3>
      <p>
        Answers of media type <code>application/problem+json</code>; report the <code>request_id</code> when
        you ask the operator.
      </p>
      <HttpErrors declared={errors.http} />
      <h3>WebSocket gateway</h3>
      <p>
        Messages of type <code>error</code>. rostack-client deals with all that can be retried.
      </p>
      <WebSocketErrors declared={errors.websocket} />
    </section>
  );
}
