import type { AnyDiscoveryDocument } from 'rostack-core';
import { OPERATORS } from '../description/filter-operators.ts';
import { Scroller } from './parts.tsx';

/** How filters are written, with the operators that the implementation offers. */
export function Operators({ discovery }: { readonly discovery: AnyDiscoveryDocument }) {
  const { filter_operators: operators } = discovery.capabilities;
  return (
    <section id="operators" aria-labelledby="operators-title">
      <h2 id="operators-title">Filters</h2>
      {operators.length === 0 ? (
        <p>No field can be filtered by.</p>
      ) : (
        <>
          <p>
            A filter is a JSON object: JSON Pointers of fields to operators, all of which must hold.{' '}
            <code>$and</code>, <code>$or</code> and <code>$not</code> combine filters. Values are compared as
            they are: text never equals a number.
          </p>
          <Scroller label="Filter operators">
            <table>
              <thead>
                <tr>
                  <th scope="col">Operator</th>
                  <th scope="col">Takes</th>
                  <th scope="col">Holds when</th>
                </tr>
              </thead>
              <tbody>
                {operators.map((operator) => (
                  <tr>
                    <th scope="row">
                      <code>{operator}</code>
                    </th>
                    <td>{OPERATORS[operator].operand}</td>
                    <td>{OPERATORS[operator].meaning}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroller>
        </>
      )}
    </section>
  );
}
