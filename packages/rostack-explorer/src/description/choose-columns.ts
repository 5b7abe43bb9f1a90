import type { ExplorerField, ExplorerResource } from './explorer-data.ts';

const MOST_COLUMNS = 8;

/** Texts that may be longer than this say little in a table. */
const LONG_TEXT = 200;

/** The fields that can be columns: arrays, and all fields without members. The id comes first. */
export function possibleColumns({
  fields,
  idPath,
}: Pick<ExplorerResource, 'fields' | 'idPath'>): readonly ExplorerField[] {
  const leaves = fields.filter(({ nested, types }) => !nested || types.includes('array'));
  const isId = ({ tokens }: ExplorerField) => tokens.join('/') === idPath.join('/');
  return [...leaves.filter(isId), ...leaves.filter((field) => !isId(field))];
}

/**
 * The columns that a table begins with: the id, then what the schema says most people look for (fields to filter and sort by, fixed
 * values, moments and numbers), in the order of the schema. Lists and long texts come last.
 */
export function chooseColumns(columns: readonly ExplorerField[]): readonly ExplorerField[] {
  const [id, ...others] = columns;
  const best = new Set(others.toSorted((one, other) => worth(other) - worth(one)).slice(0, MOST_COLUMNS - 1));
  return id === undefined ? [] : [id, ...others.filter((field) => best.has(field))];
}

function worth({ types, format, values, operators, sortable, maxLength }: ExplorerField): number {
  const isLong = types.includes('array') || format === 'json-text' || (maxLength ?? 0) > LONG_TEXT;
  const isShort =
    values !== undefined ||
    format === 'date-time' ||
    types.some((type) => type === 'number' || type === 'integer' || type === 'boolean');
  return Number(isShort) + Number(operators.length > 0) + Number(sortable) - (isLong ? 4 : 0);
}
