import { type Dish, sumNutrition } from '../corpus/dish.ts';
import { TAKE_OUTS, WATER } from '../corpus/take-out.ts';
import type { Random } from '../seeded/random.ts';
import type { Course, TakeOutForm } from './course.ts';

const MIN_WIDE_CHOICE = 12;

function renamed(dish: Dish, name: string): Dish {
  return { ...dish, name };
}

/** Enough items for more than 3,000 kcal; the first gives the bundle its name. */
function wideChoice(first: Dish): readonly Dish[] {
  const items = [first];
  for (
    let at = TAKE_OUTS.indexOf(first) + 1;
    items.length < MIN_WIDE_CHOICE || kcalOf(items) <= 3000;
    at += 1
  )
    items.push(nth(at));
  return [...items, ...WATER];
}

function kcalOf(dishes: readonly Dish[]): number {
  return sumNutrition(dishes).caloriesKcal;
}

function nth(at: number): Dish {
  return TAKE_OUTS[at % TAKE_OUTS.length] as Dish;
}

type Plan = (random: Random, first: Dish, others: readonly Dish[]) => readonly Dish[];

const PLANS: Readonly<Record<TakeOutForm, Plan>> = {
  flag: (random, first, others) => [first, ...others.slice(0, random.int(0, 2))],
  'many-dishes': (random) => random.sample(TAKE_OUTS, random.int(11, 14)),
  heavy: (_random, first) => [{ ...first, nutrition: sumNutrition(wideChoice(first)) }],
  coin: (random, first, others) => [
    renamed(first, `[${random.int(1, 3)}Coin] ${first.name}`),
    ...others.slice(0, 2),
  ],
  'coin-range': (random, first, others) => [
    renamed(first, `[1~${random.int(2, 4)}Coin] ${first.name}`),
    ...others,
  ],
  pick: (random, first, others) => [renamed(first, `${first.name} ${random.int(2, 4)} pick`), ...others],
  'pick-ko': (random, first, others) => [renamed(first, `${first.name} ${random.int(2, 4)}픽`), ...others],
  'pick-range': (random, first, others) => [
    renamed(first, `${first.name} 1~${random.int(2, 4)} pick`),
    ...others,
  ],
  't/o': (_random, first, others) => [renamed(first, `T/O ${first.name}`), ...others.slice(0, 1)],
  'coin-word': (_random, first, others) => [renamed(first, `코인간식 ${first.name}`), ...others.slice(0, 2)],
  'side-word': (_random, first, others) => [renamed(first, `사이드 ${first.name}`), ...others.slice(0, 1)],
  digits: (random, first, others) => [
    renamed(first, `${first.name}(${random.int(2, 5)})`),
    ...others.slice(0, 2),
  ],
  'and-others': (random, first) => [renamed(first, `${first.name} 외 ${random.int(2, 6)}종`)],
};

/** What people choose from; the course is named after the first dish, with or without a mark. */
function itemsOf(form: TakeOutForm, first: Dish, dishes: readonly Dish[]): readonly Dish[] {
  if (form === 'many-dishes') return dishes;
  if (form === 'heavy') return wideChoice(first);
  if (form !== 'and-others') return [first, ...dishes.slice(1)];
  const others = Number(/외 (\d+)종$/.exec(dishes[0]?.name ?? '')?.[1]);
  const at = TAKE_OUTS.indexOf(first) + 1;
  return [first, ...Array.from({ length: others }, (_, ahead) => nth(at + ahead))];
}

/** A take-out course that can be recognised by the given form only. */
export function planTakeOut(random: Random, form: TakeOutForm): Pick<Course, 'dishes' | 'items'> {
  const [first, ...others] = random.sample(TAKE_OUTS, 4);
  if (first === undefined) return { dishes: [] };
  const dishes = PLANS[form](random, first, others);
  return { dishes, items: itemsOf(form, first, dishes) };
}
