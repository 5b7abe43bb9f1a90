import type { MealCode } from '../domain/daily-menu.ts';
import type { Menu, MenuComponent, Nutrition } from '../domain/menu.ts';
import { classifyServing } from '../domain/serving.ts';
import { bundleOf } from '../operator/bundle.ts';
import { asRow, type Draft, nutrition, type Row, text } from '../operator/lenient.ts';
import { splitSides } from '../operator/side-dishes.ts';
import { type SoldOutSign, soldOutSign } from '../operator/sold-out.ts';
import { formatCourseId } from './course-id.ts';

type SmartRow = Row<'menuName' | 'smartSubMenuTxt' | 'sumKcal' | 'smartRemainingQuantity' | 'smartStatus'>;

/** A dish that can be ordered ahead. */
export interface SmartDish extends SoldOutSign {
  readonly name: string;
  readonly sides: readonly string[];
  readonly nutrition: Nutrition | undefined;
}

/** A row of `smartOrderMenuList`; undefined if it names nothing. Nothing remaining means sold out. */
export function parseSmartDish(value: unknown): SmartDish | undefined {
  const row: SmartRow | undefined = asRow(value);
  const name = text(row?.menuName);
  if (row === undefined || name === undefined) return undefined;
  const sides = text(row.smartSubMenuTxt);
  const status = soldOutSign({ smartStatus: row.smartStatus });
  return {
    name,
    sides: sides === undefined ? [] : splitSides(sides),
    nutrition: nutrition({ caloriesKcal: row.sumKcal }),
    soldOut: status.soldOut || isNothing(row.smartRemainingQuantity),
    unknown: status.unknown,
  };
}

/** The dish as a menu of its own, for one that the list of the meal does not have. */
export function toSmartMenu({ name, sides, nutrition: facts, soldOut }: SmartDish, meal: MealCode): Menu {
  const components = withSides(name, sides);
  const serving = classifyServing({
    name,
    caloriesKcal: facts?.caloriesKcal,
    declaredTakeOut: false,
    components,
    dishMarksCount: true,
  });
  const id = formatCourseId({ meal, hall: '', course: undefined }, name);
  const menu: Draft<Menu> = { id, name, serving, soldOut, components };
  if (serving === 'take-out') menu.bundle = bundleOf([]);
  else if (facts !== undefined) menu.nutrition = facts;
  return menu;
}

/** The menu of the meal's own list, completed by what this list says about the same dish. */
export function withSmartDish(menu: Menu, dish: SmartDish): Menu {
  const { sides, nutrition: facts } = dish;
  return {
    ...menu,
    soldOut: menu.soldOut || dish.soldOut,
    components: menu.components.length === 0 ? withSides(menu.name, sides) : menu.components,
    ...(menu.bundle === undefined && menu.nutrition === undefined && facts !== undefined
      ? { nutrition: facts }
      : {}),
  };
}

function withSides(name: string, sides: readonly string[]): readonly MenuComponent[] {
  const others = sides.filter((side) => side !== name);
  if (others.length === 0) return [];
  return [{ name, main: true }, ...others.map((side) => ({ name: side, main: false }))];
}

/** True for zero and less, as a number or as text; an unknown quantity is not nothing. */
function isNothing(quantity: unknown): boolean {
  if (typeof quantity === 'number') return quantity <= 0;
  return typeof quantity === 'string' && /^\s*(?:-\d+|0)(?:\.0+)?\s*$/.test(quantity);
}
