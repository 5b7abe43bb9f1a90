import type { DailyMenu, Menu, Nutrition } from 'menu-client';
import { hasUnread, periodsInOrder } from '../../domain/day-view.ts';
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
  const information: Record<string, string> = { '@type': 'NutritionInformation' };
  for (const [member, key, unit] of MEMBERS) {
    const amount = nutrition[key];
    if (amount !== undefined) information[member] = `${amount} ${unit}`;
  }
  return information;
}

function menuItem(page: PageContext, { restaurant }: DailyMenu, menu: Menu): object {
  const { name, nameEn, components, nutrition, photo } = menu;
  const item: Record<string, unknown> = { '@type': 'MenuItem', name };
  if (nameEn !== undefined) item['alternateName'] = nameEn;
  const sides = components.filter((component) => component.name !== name);
  if (sides.length > 0) item['description'] = sides.map((side) => side.name).join(', ');
  if (photo !== undefined) item['image'] = page.origin + photoPath(restaurant.vendor, photo, 1200);
  if (nutrition !== undefined) item['nutrition'] = nutritionInformation(nutrition);
  return item;
}

/** The day as a schema.org Restaurant with its Menu, which is left out when nothing of it could be read; periods without menus are not sections of it. */
export function dayJsonLd(page: PageContext, day: DailyMenu): object {
  const { restaurant, date } = day;
  const { name, nameEn, location, vendor } = restaurant;
  const served = periodsInOrder(day).filter((period) => period.menus.length > 0);
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
    ...(served.length === 0 && hasUnread([day])
      ? {}
      : {
          hasMenu: {
            '@type': 'Menu',
            name: page.text.dayTitle(name, date),
            inLanguage: 'ko',
            hasMenuSection: served.map((period) => ({
              '@type': 'MenuSection',
              name: period.label,
              hasMenuItem: period.menus.map((menu) => menuItem(page, day, menu)),
            })),
          },
        }),
  };
}
