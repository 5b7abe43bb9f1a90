import type { ImplementationDescription } from '../description/describe-implementation.ts';
import { resourceId } from './resource-id.ts';

/** The way around the page. */
export function Contents({ description }: { readonly description: ImplementationDescription }) {
  const { discovery, resources } = description;
  return (
    <header class="side">
      <a class="brand" href="#content">
        {discovery.implementation.name}
      </a>
      <nav aria-label="Contents">
        <ul>
          <li>
            <a href="#explore">Explore</a>
          </li>
          <li>
            <a href="#resources">Resources</a>
            <ul>
              {resources.map(({ resource }) => (
                <li>
                  <a href={`#${resourceId(resource.name)}`}>{resource.name}</a>
                </li>
              ))}
            </ul>
          </li>
          <li>
            <a href="#access">Access</a>
          </li>
          <li>
            <a href="#operators">Filters</a>
          </li>
          <li>
            <a href="#limits">Limits</a>
          </li>
          <li>
            <a href="#errors">Errors</a>
          </li>
        </ul>
      </nav>
    </header>
  );
}
