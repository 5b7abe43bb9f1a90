import type { DailyMenu, Menu, Nutrition } from 'menu-client';
import { hasUnread, periodsInOrder } from '../../domain/day/day-view.ts';
import { dayPath, restaurantPath } from '../../domain/restaurant-path.ts';
import { linkTo, type PageContext } from '../page-context.ts';
import { menuPhotoUrl } from '../photo-path.ts';

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

function menuItem(page: PageContext, { restaurant, date }: DailyMenu, menu: Menu): object {
  const { name, nameEn, components, nutrition } = menu;
  const item: Record<string, unknown> = { '@type': 'MenuItem', name };
  if (nameEn !== undefined) item['alternateName'] = nameEn;
  const sides = components.filter((component) => component.name !== name);
  if (sides.length > 0) item['description'] = sides.map((side) => side.name).join(', ');
  const image = menuPhotoUrl(page, restaurant, date, menu, 1200);
  if (image !== undefined) item['image'] = image;
  if (nutrition !== undefined) item['nutrition'] = nutritionInformation(nutrition);
  return item;
}

/**
 * A menu as an item; a bundle as a section of its items, each available by itself. A bundle without known items is an
 * item without nutrition.
 */
function menuPart(page: PageContext, day: DailyMenu, menu: Menu): object {
  const { bundle, name, nameEn, soldOut } = menu;
  if (bundle === undefined || bundle.items.length === 0) return menuItem(page, day, menu);
  const availability = `https://schema.org/${soldOut ? 'SoldOut' : 'InStock'}`;
  return {
    '@type': 'MenuSection',
    name,
    ...(nameEn === undefined ? {} : { alternateName: nameEn }),
    hasMenuItem: bundle.items.map((item) => ({
      '@type': 'MenuItem',
      name: item.name,
      ...(item.nutrition === undefined ? {} : { nutrition: nutritionInformation(item.nutrition) }),
      offers: { '@type': 'Offer', availability },
    })),
  };
}

function isSection(part: object): boolean {
  return '@type' in part && part['@type'] === 'MenuSection';
}

/** The day as a schema.org Restaurant with its Menu, left out if none of it could be read. Periods without menus get no section. */
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
            hasMenuSection: served.map((period) => {
              const parts = period.menus.map((menu) => menuPart(page, day, menu));
              const [items, sections] = [parts.filter((part) => !isSection(part)), parts.filter(isSection)];
              return {
                '@type': 'MenuSection',
                name: period.label,
                hasMenuItem: items,
                ...(sections.length === 0 ? {} : { hasMenuSection: sections }),
              };
            }),
          },
        }),
  };
}
