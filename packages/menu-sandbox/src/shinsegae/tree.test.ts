import { expect, test } from 'vitest';
import { shinsegaeRestaurants } from '../catalogue/shinsegae-restaurants.ts';
import { buildTree, indexTree, type TreeNode } from './tree.ts';

const RESTAURANTS = shinsegaeRestaurants('test');

function at(nodes: readonly TreeNode[], path: string): TreeNode | undefined {
  const [first = '', ...rest] = path.split(':');
  const node = nodes[Number(first)];
  return rest.length === 0 ? node : at(node?.children ?? [], rest.join(':'));
}

test.each([0, 1, 5, 6, 13])('after %i changes every orgTreeId leads to its store', (generation) => {
  const tree = buildTree(RESTAURANTS, generation);
  const index = indexTree(tree);
  expect(index.size).toBe(240);
  for (const { busiCd, compCd, storCd, name } of RESTAURANTS) {
    const path = index.get(`${busiCd}/${compCd}/${storCd}`) ?? '';
    expect(at(tree, path)).toMatchObject({ type: 'STOR', title: { ko: name }, data: { storCd } });
  }
});

test('a change moves every orgTreeId', () => {
  const before = indexTree(buildTree(RESTAURANTS, 0));
  const after = indexTree(buildTree(RESTAURANTS, 1));
  for (const [store, path] of before) expect(after.get(store)).not.toBe(path);
});

test('the tree has stores without a code, of two codes and with a VIP code', () => {
  const stores = buildTree(RESTAURANTS, 0).flatMap((business) =>
    business.children.flatMap((company) => company.children.map(({ data }) => data.storCd)),
  );
  expect(stores).toContain(null);
  expect(stores.some((code) => code?.includes(', '))).toBe(true);
  expect(stores.some((code) => code?.startsWith('VIP'))).toBe(true);
});
