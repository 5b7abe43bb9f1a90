import type { DailyMenu, Menu, Nutrition } from 'menu-client';
import { periodsInOrder } from '../../domain/day-view.ts';
import { dayPath, restaurantPath } from '../../domain/restaurant-path.ts';
import { linkTo, type PageContext } from '../page-context.ts';
import { photoPath } from '../photo-path.ts';

// schema.org's members, each with the unit it is written with (https://schema.org/NutritionInformation).
const MEMBERS: readonly (readonly [member: string, key: keyof Nutrition, unit: string])[] = [
  ['calories', 'caloriesKcal', 'calories'],
  ['carbohydrateContent', 'carbohydratesG', 'g'],
  ['proteinContent', 'proteinG', 'g'],
  ['fatContent', 'fatG', 'g'],
  ['saturatedFatContent', 'saturatedFatG', 'g'],
  ['transFatContent', 'transFatG', 'g'],
  ['sugarContent', 'sugarG', 'g'],
  ['fiberContent', 'fiberG', 'g'],
  ['sodiumContent', 'sodiumMg', 'mg'],
  ['cholesterolContent', 'cholesterolMg', 'mg'],
];

function nutritionInformation(nutrition: Nutrition): object {
  const members = MEMBERS.flatMap(([member, key, unit]) => {
    const amount = nutrition[key];
    return amount === undefined ? [] : [[member, `${amount} ${unit}`] as const];
  });
  return { '@type': 'NutritionInformation', ...Object.fromEntries(members) };
}

function menuItem(page: PageContext, day: DailyMenu, menu: Menu): object {
  const sides = menu.components.filter((component) => component.name !== menu.name).map(({ name }) => name);
  return {
    '@type': 'MenuItem',
    name: menu.name,
    ...(menu.nameEn === undefined ? {} : { alternateName: menu.nameEn }),
    ...(sides.length === 0 ? {} : { description: sides.join(', ') }),
    ...(menu.photo === undefined
      ? {}
      : { image: page.origin + photoPath(day.restaurant.vendor, menu.photo, 1200) }),
    ...(menu.nutrition === undefined ? {} : { nutrition: nutritionInformation(menu.nutrition) }),
  };
}

/** The day as a schema.org Restaurant with its Menu; periods without menus are not sections of it. */
export function dayJsonLd(page: PageContext, day: DailyMenu): object {
  const { restaurant, date } = day;
  const { name, nameEn, location, vendor } = restaurant;
  return {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': page.origin + restaurantPath(restaurant),
    name,
    ...(nameEn === undefined ? {} : { alternateName: nameEn }),
    url: page.origin + linkTo(page, dayPath(restaurant, date)),
    ...(location.length === 0
      ? {}
      : { address: { '@type': 'PostalAddress', addressCountry: 'KR', streetAddress: location.join(' ') } }),
    parentOrganization: { '@type': 'Organization', name: page.text.vendors[vendor] },
    hasMenu: {
      '@type': 'Menu',
      name: page.text.dayTitle(name, date),
      inLanguage: 'ko',
      hasMenuSection: periodsInOrder(day)
        .filter((period) => period.menus.length > 0)
        .map((period) => ({
          '@type': 'MenuSection',
          name: period.label,
          hasMenuItem: period.menus.map((menu) => menuItem(page, day, menu)),
        })),
    },
  };
}
