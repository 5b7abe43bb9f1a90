import { hash } from 'node:crypto';
import type { Principal } from 'rostack-core';
import type { Exchange, Reply } from '../request/exchange.ts';
import type { Route } from '../request/route-table.ts';
import type { Access } from './access.ts';
import { parseQueryString } from './list-query.ts';
import type { ServedResource } from './served-resource.ts';

/** Tells a cache which clients get the same lists. */
export class AudienceHandler implements Route {
  readonly operation = 'audience';
  readonly resource = undefined;
  readonly isPublic = false;
  readonly #access: Access;
  readonly #shared: readonly ServedResource[];

  constructor(access: Access, shared: readonly ServedResource[]) {
    this.#access = access;
    this.#shared = shared;
  }

  async answer(exchange: Exchange): Promise<Reply> {
    parseQueryString(exchange.search, []);
    const audience = this.#audienceOf(await this.#access.recognise(exchange));
    return {
      status: 204,
      headers: { 'Cache-Control': 'no-store', 'X-Rostack-Audience': audience },
      body: null,
    };
  }

  /**
   * Everything that a list depends on besides its URL and `Accept`: the principal of its cursors, the visible fields, and the visible rows.
   */
  #audienceOf(principal: Principal): string {
    const { id, permissions } = principal;
    const rows = this.#shared.map((resource) => resource.visibilityFor(principal).digest);
    return hash('sha256', JSON.stringify([id, [...permissions].sort(), rows]), 'base64url');
  }
}
