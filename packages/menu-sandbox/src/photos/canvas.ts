/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A small RGB picture made of discs. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Rows from the top, three bytes per pixel. */
  readonly data: Uint8Array;
  /** Paints a disc with a soft edge of one pixel, lit from the upper left. */
  disc(centerX: number, centerY: number, radius: number, color: Rgb, relief?: number): void;
}

export function createCanvas(width: number, height: number, background: Rgb): Canvas {
  const data = new Uint8Array(width * height * 3);
  for (let offset = 0; offset < data.length; offset += 3) data.set(background, offset);
  return {
    width,
    height,
    data,
    disc(centerX, centerY, radius, color, relief = 0) {
      const top = Math.max(0, Math.floor(centerY - radius - 1));
      const bottom = Math.min(height - 1, Math.ceil(centerY + radius + 1));
      const left = Math.max(0, Math.floor(centerX - radius - 1));
      const right = Math.min(width - 1, Math.ceil(centerX + radius + 1));
      for (let y = top; y <= bottom; y += 1) {
        for (let x = left; x <= right; x += 1) {
          const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x - centerX, y - centerY)));
          if (cover === 0) continue;
          const light = Math.round(((centerX - x + centerY - y) / (2 * radius)) * 4) / 4;
          const offset = (y * width + x) * 3;
          for (let channel = 0; channel < 3; channel += 1) {
            const painted = (color[channel] ?? 0) + light * relief;
            const under = data[offset + channel] ?? 0;
            data[offset + channel] = Math.max(0, Math.min(255, under + (painted - under) * cover));
          }
        }
      }
    },
  };
}
