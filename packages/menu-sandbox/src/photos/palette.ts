/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const TABLES: readonly Rgb[] = [
  [222, 196, 160],
  [196, 164, 124],
  [238, 232, 222],
  [92, 78, 68],
  [210, 214, 216],
];

export const PLATES: readonly Rgb[] = [
  [250, 249, 246],
  [52, 54, 58],
  [232, 226, 214],
  [206, 220, 224],
];

export const FOODS: readonly Rgb[] = [
  [178, 58, 32],
  [206, 92, 38],
  [232, 168, 62],
  [120, 72, 42],
  [244, 226, 176],
  [84, 128, 58],
  [138, 168, 84],
  [214, 72, 60],
  [246, 244, 236],
  [92, 56, 36],
];
