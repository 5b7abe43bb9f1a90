import { z } from 'zod';
import { OperatorError } from '../domain/menu-error.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import { asRow, isHiddenRestaurant, locationOf, type Row, text } from '../operator/lenient.ts';
import type { Reading } from '../operator/operator.ts';

/** A restaurant and what its requests are addressed with. */
export interface StoreNode {
  readonly restaurant: Restaurant;
  readonly busiCd: string;
  readonly compCd: string;
  /** As the operator writes it; it may be a list with commas and spaces. */
  readonly storCd: string;
  /** Child indexes from the root, joined by colons. It changes whenever the tree does: valid for this tree only. */
  readonly orgTreeId: string;
}

const list = z.array(z.unknown());
const wrapped = z.union([
  z.object({ ds: list }).transform((value) => value.ds),
  z.object({ resultList: list }).transform((value) => value.resultList),
  z.object({ data: list }).transform((value) => value.data),
  z.object({ list }).transform((value) => value.list),
]);
const tree = z.union([list, wrapped]);

type NodeRow = Row<'type' | 'title' | 'data' | 'children'>;
type TitleRow = Row<'ko' | 'en'>;
type CodesRow = Row<'busiCd' | 'compCd' | 'storCd' | 'storNm' | 'storNmEn'>;

interface Crumb {
  readonly ko: string;
  readonly en: string | undefined;
}

interface Branch {
  readonly value: unknown;
  readonly crumbs: readonly Crumb[];
  readonly path: string;
  readonly depth: number;
}

const MAX_DEPTH = 16;

/**
 * GET /storTree: the STOR nodes that can be asked for menus, in the order of the tree.
 * @throws OperatorError `operator_answer_invalid`
 */
export function parseTree(value: unknown): Reading<readonly StoreNode[]> {
  const parsed = tree.safeParse(value);
  if (!parsed.success) {
    throw new OperatorError('shinsegae', 'operator_answer_invalid', 'The answer has no list of nodes.');
  }
  const stores: StoreNode[] = [];
  let droppedRows = 0;
  const open: Branch[] = branches(parsed.data, [], '', 0);
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    const row: NodeRow | undefined = asRow(branch.value);
    if (row === undefined || branch.depth > MAX_DEPTH) {
      droppedRows += 1;
      continue;
    }
    const names = titleOf(row.title);
    if (text(row.type)?.toUpperCase() === 'STOR' && !isUnopened(row.data)) {
      const store = parseStore(row.data, names, branch);
      if (store === undefined) droppedRows += 1;
      else if (!isHiddenRestaurant(store.restaurant)) stores.push(store);
    }
    const children = list.safeParse(row.children).data ?? [];
    const crumbs =
      names.ko === undefined ? branch.crumbs : [...branch.crumbs, { ko: names.ko, en: names.en }];
    open.push(...branches(children, crumbs, `${branch.path}:`, branch.depth + 1));
  }
  return { value: withUniqueIds(stores), droppedRows };
}

/** The id is the `storCd`; if several companies use the same one, company and business tell them apart. */
function withUniqueIds(stores: readonly StoreNode[]): readonly StoreNode[] {
  const owners = new Map<string, Set<string>>();
  for (const { storCd, compCd, busiCd } of stores) {
    owners.set(storCd, (owners.get(storCd) ?? new Set()).add(`${compCd}.${busiCd}`));
  }
  const unique = new Map<string, StoreNode>();
  for (const store of stores) {
    const { storCd, compCd, busiCd } = store;
    const id = owners.get(storCd)?.size === 1 ? storCd : `${storCd}.${compCd}.${busiCd}`;
    if (!unique.has(id)) unique.set(id, { ...store, restaurant: { ...store.restaurant, id } });
  }
  return [...unique.values()];
}

/** Last first, so that a stack hands them out in the order of the tree. */
function branches(
  values: readonly unknown[],
  crumbs: readonly Crumb[],
  prefix: string,
  depth: number,
): Branch[] {
  return values.map((value, index) => ({ value, crumbs, path: `${prefix}${index}`, depth })).reverse();
}

function titleOf(value: unknown): { readonly ko: string | undefined; readonly en: string | undefined } {
  const parsed: TitleRow | undefined = asRow(value);
  return { ko: text(parsed?.ko) ?? text(value), en: text(parsed?.en) };
}

/** A store that is being set up has no code yet: neither a restaurant nor an unreadable row. */
function isUnopened(data: unknown): boolean {
  const row: CodesRow | undefined = asRow(data);
  return row !== undefined && row.storCd == null;
}

function parseStore(
  data: unknown,
  names: ReturnType<typeof titleOf>,
  { crumbs, path }: Branch,
): StoreNode | undefined {
  const row: CodesRow | undefined = asRow(data);
  const busiCd = text(row?.busiCd);
  const compCd = text(row?.compCd);
  const storCd = text(row?.storCd);
  const name = names.ko ?? text(row?.storNm) ?? names.en ?? text(row?.storNmEn) ?? storCd;
  if (busiCd === undefined || compCd === undefined || storCd === undefined || name === undefined)
    return undefined;
  const nameEn = names.en ?? text(row?.storNmEn);
  const location = locationOf(
    crumbs.map(({ ko }) => ko),
    name,
  );
  const english = new Map(crumbs.map(({ ko, en }) => [ko, en]));
  const restaurant: Restaurant = {
    vendor: 'shinsegae',
    id: storCd,
    name,
    ...(nameEn === undefined ? {} : { nameEn }),
    location,
    ...(location.some((place) => english.get(place) !== undefined)
      ? { locationEn: location.map((place) => english.get(place) ?? place) }
      : {}),
  };
  return { restaurant, busiCd, compCd, storCd, orgTreeId: path };
}
