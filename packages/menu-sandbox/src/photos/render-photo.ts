import { encode } from 'fast-png';
import { createRandom } from '../seeded/random.ts';
import { createCanvas } from './canvas.ts';
import { FOODS, PLATES, TABLES } from './palette.ts';

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
