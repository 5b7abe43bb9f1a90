import { type KnownMealCode, presentMeal } from 'menu-client';

/** The meal of the moment where breakfast, lunch and dinner are served; of another day than today lunch. */
export function momentOf(date: string, nowMs: number): KnownMealCode {
  const periods = (['1', '2', '3'] as const).map((code) => ({
    code,
    label: '',
    status: 'ok' as const,
    menus: [],
  }));
  const present = presentMeal({ date, periods }, nowMs)?.code;
  return periods.find(({ code }) => code === present)?.code ?? '2';
}
