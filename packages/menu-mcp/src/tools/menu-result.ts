import type { DailyMenu } from 'menu-client';
import { type LeftOut, toMenuAnswer } from '../output/menu-answer.ts';
import { type MenuSelection, mealName, selectMenus } from '../output/menu-selection.ts';
import { toMenuText } from '../output/menu-text.ts';
import type { ToolContext } from './tool-definition.ts';
import { isWithin, type ToolResult, toolSuccess } from './tool-result.ts';

/** Most tokens (o200k) that a model should have to read for one meal, and for a day. */
const MAX_TOKENS = { meal: 1_500, day: 4_000 } as const;

interface Step {
  /** What the value for programs leaves out, and what the text leaves out. */
  readonly value: LeftOut;
  readonly text: LeftOut;
  /** Most menus of each meal. @default all */
  readonly maxMenus?: number;
}

/**
 * Steps that shorten a result until it is short enough; the text for models keeps its facts longest. Callers that sort
 * are comparing and miss photos least; others see the card, where bundles can do without their items.
 */
function stepsOf({ sort }: MenuSelection): readonly Step[] {
  const value: LeftOut = ['dishes', 'items', 'photos'];
  return [
    { value: [], text: [] },
    { value: ['dishes'], text: [] },
    { value: ['dishes', sort === undefined ? 'items' : 'photos'], text: [] },
    { value, text: [] },
    { value, text: ['dishes'] },
    ...[24, 12, 6, 3].map(
      (maxMenus): Step => ({ value: [...value, 'menus'], text: ['dishes', 'menus'], maxMenus }),
    ),
  ];
}

/** The selected menus for programs and for models: each has what its readers need, and both together stay short. */
export function toMenuResult(
  day: DailyMenu,
  selection: MenuSelection,
  { pageUrl, photoUrl, nowMs }: ToolContext,
  nextDate: string | undefined,
): ToolResult {
  const selected = selectMenus(day, selection, nowMs);
  const { sort } = selection;
  const meals = day.periods
    .filter(({ status }) => status !== 'empty')
    .map(({ code, label }) => mealName(code) ?? label);
  const maxTokens = MAX_TOKENS[selection.meal === undefined ? 'day' : 'meal'];
  const create = ({ value, text, maxMenus }: Step): ToolResult => {
    const periods = selected.periods.map((period) => ({
      ...period,
      choices: period.choices.slice(0, maxMenus),
    }));
    const shown = { ...selected, periods };
    const read = toMenuAnswer(shown, { sort, pageUrl, nextDate, leftOut: text });
    return toolSuccess(
      toMenuAnswer(shown, { sort, pageUrl, photoUrl, nextDate, leftOut: value }),
      toMenuText(read, selection, meals),
    );
  };
  const [whole, ...shorter] = stepsOf(selection).map((step) => () => create(step));
  let result = (whole as () => ToolResult)();
  for (const next of shorter) {
    if (isWithin(maxTokens, result)) break;
    result = next();
  }
  return result;
}
