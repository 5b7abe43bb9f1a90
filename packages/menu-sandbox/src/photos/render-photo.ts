import { encode } from 'fast-png';
import { createRandom } from '../seeded/random.ts';
import { createCanvas, type Rgb } from './canvas.ts';

const TABLES: readonly Rgb[] = [
  [222, 196, 160],
  [196, 164, 124],
  [238, 232, 222],
  [92, 78, 68],
  [210, 214, 216],
];

const PLATES: readonly Rgb[] = [
  [250, 249, 246],
  [52, 54, 58],
  [232, 226, 214],
  [206, 220, 224],
];

const FOODS: readonly Rgb[] = [
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

/** Pixels of a full photo and of a thumbnail. */
export const PHOTO_SIZES = { full: [320, 240], thumb: [160, 120] } as const;

/** A PNG of a tray seen from above: a big plate and some bowls, different for each name. */
export function renderPhoto(
  seed: string,
  name: string,
  size: keyof typeof PHOTO_SIZES,
): Uint8Array<ArrayBuffer> {
  const random = createRandom(seed, 'photo', name);
  const [width, height] = PHOTO_SIZES[size];
  const unit = height / 24;
  const canvas = createCanvas(width, height, random.pick(TABLES));
  const plate = random.pick(PLATES);
  const serve = (x: number, y: number, radius: number) => {
    canvas.disc((x + 0.5) * unit, (y + 0.6) * unit, radius * unit, [60, 52, 46]);
    canvas.disc(x * unit, y * unit, radius * unit, plate, 14);
    const colors = random.sample(FOODS, 3);
    for (let piece = 0; piece < 5 + radius * 3; piece += 1) {
      const angle = (random.int(0, 359) * Math.PI) / 180;
      const away = (random.int(0, 100) / 100) * radius * 0.55;
      const pieceRadius = radius * (random.int(14, 26) / 100);
      canvas.disc(
        (x + Math.cos(angle) * away) * unit,
        (y + Math.sin(angle) * away) * unit,
        pieceRadius * unit,
        random.pick(colors),
        26,
      );
    }
  };
  serve(11, 13, 9);
  for (const y of [5, 12, 19]) serve(26, y, 3.2);
  return new Uint8Array(encode({ width, height, data: canvas.data, channels: 3, depth: 8 }));
}

/** What is shown in place of a photo that is not there yet: nearly white, with a pale mark in its middle. */
export function renderPlaceholder(size: keyof typeof PHOTO_SIZES): Uint8Array<ArrayBuffer> {
  const [width, height] = PHOTO_SIZES[size];
  const canvas = createCanvas(width, height, [252, 252, 252]);
  canvas.disc(width / 2, height / 2, height / 12, [236, 236, 236]);
  return new Uint8Array(encode({ width, height, data: canvas.data, channels: 3, depth: 8 }));
}
