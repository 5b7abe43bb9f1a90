import { type Dish, defineDishes } from './dish.ts';

/** Not made by the kitchen: an item of bundles, with only zeros. */
export const WATER: readonly Dish[] = defineDishes([['생수', 'Water', 0, 0, 0, 0, 0, 0]]);

/** Packed food to take to one's desk. */
export const TAKE_OUTS = defineDishes([
  ['참치김밥', 'Tuna Kimbap', 68, 17, 15, 5, 4, 980],
  ['소불고기김밥', 'Bulgogi Kimbap', 70, 18, 13, 7, 4, 1010],
  ['야채김밥', 'Vegetable Kimbap', 67, 12, 11, 5, 5, 920],
  ['유부초밥도시락', 'Fried Tofu Sushi Box', 74, 16, 12, 12, 3, 880],
  ['햄에그샌드위치', 'Ham and Egg Sandwich', 37, 18, 19, 6, 3, 780],
  ['클럽샌드위치', 'Club Sandwich', 42, 22, 21, 7, 4, 890],
  ['에그마요샌드위치', 'Egg Mayo Sandwich', 36, 15, 24, 6, 2, 690],
  ['크로와상샌드위치', 'Croissant Sandwich', 33, 16, 26, 6, 2, 720],
  ['치킨텐더랩', 'Chicken Tender Wrap', 44, 23, 19, 6, 4, 910],
  ['불고기또띠아랩', 'Bulgogi Tortilla Wrap', 46, 21, 17, 9, 4, 940],
  ['닭가슴살샐러드', 'Chicken Breast Salad', 14, 27, 9, 7, 6, 540],
  ['연어샐러드', 'Salmon Salad', 13, 22, 16, 6, 6, 510],
  ['리코타치즈샐러드', 'Ricotta Salad', 21, 14, 17, 11, 6, 430],
  ['두부샐러드', 'Tofu Salad', 16, 17, 12, 6, 7, 420],
  ['단호박에그샐러드', 'Pumpkin Egg Salad', 31, 13, 14, 13, 6, 380],
  ['콥샐러드', 'Cobb Salad', 19, 24, 21, 8, 7, 640],
  ['그릭요거트볼', 'Greek Yogurt Bowl', 38, 13, 11, 22, 5, 120],
  ['과일컵', 'Fruit Cup', 28, 2, 1, 22, 4, 5],
  ['삶은계란2구', 'Two Boiled Eggs', 1, 13, 11, 1, 0, 280],
  ['찐고구마', 'Steamed Sweet Potato', 42, 2, 0, 14, 5, 20],
  ['바나나', 'Banana', 27, 1, 0, 15, 3, 1],
  ['프로틴쉐이크', 'Protein Shake', 14, 24, 4, 8, 2, 210],
  ['아메리카노', 'Americano', 2, 1, 0, 0, 0, 10],
  ['착즙오렌지주스', 'Orange Juice', 27, 2, 0, 22, 1, 5],
  ['컵라면', 'Cup Noodles', 62, 8, 13, 5, 3, 1480],
  ['죽(전복)', 'Abalone Porridge', 46, 9, 4, 1, 2, 790],
  ['단호박죽', 'Pumpkin Porridge', 52, 5, 3, 16, 4, 320],
  ['시리얼컵', 'Cereal Cup', 34, 4, 3, 12, 3, 210],
  ['견과믹스', 'Mixed Nuts', 8, 6, 16, 3, 3, 45],
  ['저염닭가슴살도시락', 'Low-salt Chicken Box', 58, 34, 9, 5, 6, 560],
  ['현미닭갈비도시락', 'Brown Rice Dakgalbi Box', 78, 29, 14, 10, 7, 990],
  ['제육도시락', 'Spicy Pork Lunch Box', 88, 28, 21, 10, 5, 1190],
  ['돈까스도시락', 'Pork Cutlet Lunch Box', 96, 27, 26, 8, 5, 1120],
  ['우유', 'Milk', 10, 6, 8, 10, 0, 100],
  ['두유', 'Soy Milk', 11, 7, 5, 6, 2, 150],
]);
