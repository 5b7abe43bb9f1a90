import { connect, type FollowChange, type RostackClient } from 'rostack-client';

/** What the test calls in the page. */
export interface PageApi {
  start(url: string, token: string): Promise<void>;
  listed(): Promise<string[]>;
  /** Waits until there are so many changes. */
  changes(count: number): Promise<string[]>;
  /** Code of the error that a look-up across origins gives. */
  failure(path: string): Promise<string>;
}

let client: RostackClient | undefined;
const changes: FollowChange<{ id: string }>[] = [];

const api: PageApi = {
  async start(url, token) {
    client = await connect(url, { method: 'shared_token', token });
    const follow = client.follow<{ id: string }>('stations');
    void follow.run((change) => {
      changes.push(change);
    });
  },
  async listed() {
    const ids: string[] = [];
    for await (const { id } of client?.list<{ id: string }>('stations', { pageSize: 2 }) ?? []) ids.push(id);
    return ids;
  },
  async changes(count) {
    while (changes.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    return changes.map((change) => ('id' in change ? `${change.kind} ${change.id}` : change.kind));
  },
  async failure(id) {
    const item = await client?.get('stations', id).catch((error: { code: string }) => error.code);
    return typeof item === 'string' ? item : String(item?.kind);
  },
};
Object.assign(globalThis, { page: api });
