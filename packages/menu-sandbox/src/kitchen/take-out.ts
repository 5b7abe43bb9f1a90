import type { Dish } from '../corpus/dish.ts';
import { TAKE_OUTS } from '../corpus/take-out.ts';
import type { Random } from '../seeded/random.ts';
import type { TakeOutForm } from './course.ts';

function renamed(dish: Dish, name: string): Dish {
  return { ...dish, name };
}

/** A portion for a whole team, more than 3,000 kcal. */
function teamSize(dish: Dish): Dish {
  const times = Math.ceil(3200 / Math.max(dish.nutrition.caloriesKcal, 1));
  const nutrition = Object.fromEntries(
    Object.entries(dish.nutrition).map(([key, value]) => [key, Math.round(value * times * 10) / 10]),
  );
  return { ...dish, name: `${dish.name} 단체팩`, nutrition: nutrition as unknown as Dish['nutrition'] };
}

type Plan = (random: Random, first: Dish, others: readonly Dish[]) => readonly Dish[];

const PLANS: Readonly<Record<TakeOutForm, Plan>> = {
  flag: (random, first, others) => [first, ...others.slice(0, random.int(0, 2))],
  'many-dishes': (random) => random.sample(TAKE_OUTS, random.int(11, 14)),
  heavy: (_random, first) => [teamSize(first)],
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

/** The dishes of a take-out course that can be recognised by the given form and by no other. */
export function planTakeOut(random: Random, form: TakeOutForm): readonly Dish[] {
  const [first, ...others] = random.sample(TAKE_OUTS, 4);
  return first === undefined ? [] : PLANS[form](random, first, others);
}
