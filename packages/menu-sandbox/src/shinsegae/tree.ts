import type { ShinsegaeRestaurant } from '../catalogue/shinsegae-restaurants.ts';
import { SHINSEGAE_GROUPS } from '../catalogue/shinsegae-restaurants.ts';

/** A node of `GET /storTree`. */
export interface TreeNode {
  readonly type: 'BUSI' | 'COMP' | 'STOR';
  readonly code: string;
  readonly title: { readonly ko: string; readonly en: string };
  readonly data: {
    readonly busiCd: string;
    readonly compCd?: string;
    readonly storCd?: string | null;
    readonly storNm?: string;
    readonly storNmEn?: string;
  };
  readonly children: readonly TreeNode[];
}

function storeNode(restaurant: ShinsegaeRestaurant): TreeNode {
  const { busiCd, compCd, storCd, name, nameEn } = restaurant;
  return {
    type: 'STOR',
    code: storCd,
    title: { ko: name, en: nameEn },
    data: { busiCd, compCd, storCd, storNm: name, storNmEn: nameEn },
    children: [],
  };
}

/** A store that is being set up: it has no code yet, so it is not a restaurant. */
function unopenedNode(busiCd: string, compCd: string): TreeNode {
  return {
    type: 'STOR',
    code: '',
    title: { ko: '오픈준비중', en: 'Opening soon' },
    data: { busiCd, compCd, storCd: null, storNm: '오픈준비중', storNmEn: 'Opening soon' },
    children: [],
  };
}

/**
 * The tree of businesses, companies and stores.
 * @param generation how often the tree has changed: each change puts the last business first
 */
export function buildTree(
  restaurants: readonly ShinsegaeRestaurant[],
  generation: number,
): readonly TreeNode[] {
  const businesses = SHINSEGAE_GROUPS.map(
    (group, groupIndex): TreeNode => ({
      type: 'BUSI',
      code: group.code,
      title: { ko: group.title[0], en: group.title[1] },
      data: { busiCd: group.code },
      children: group.companies.map(([name, nameEn], index): TreeNode => {
        const compCd = `K_KR_${String(index + 1).padStart(3, '0')}`;
        const stores = restaurants
          .filter((restaurant) => restaurant.busiCd === group.code && restaurant.compCd === compCd)
          .map(storeNode);
        return {
          type: 'COMP',
          code: compCd,
          title: { ko: name, en: nameEn },
          data: { busiCd: group.code, compCd },
          children: groupIndex === 0 ? [unopenedNode(group.code, compCd), ...stores] : stores,
        };
      }),
    }),
  );
  const moved = generation % businesses.length;
  return [...businesses.slice(businesses.length - moved), ...businesses.slice(0, businesses.length - moved)];
}

/** `orgTreeId` by `busiCd/compCd/storCd`: the child indexes from the root, joined by colons. */
export function indexTree(
  nodes: readonly TreeNode[],
  path: readonly number[] = [],
): ReadonlyMap<string, string> {
  const index = new Map<string, string>();
  for (const [position, node] of nodes.entries()) {
    const own = [...path, position];
    const { busiCd, compCd, storCd } = node.data;
    if (node.type === 'STOR' && storCd != null) index.set(`${busiCd}/${compCd}/${storCd}`, own.join(':'));
    for (const [key, value] of indexTree(node.children, own)) index.set(key, value);
  }
  return index;
}
