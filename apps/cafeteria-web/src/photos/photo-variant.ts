/** Widths in pixels that photos are served at. */
export const PHOTO_WIDTHS = [480, 1200] as const;
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];

/** WebP is for our pages, JPEG for everybody else. */
export const PHOTO_FORMATS = ['webp', 'jpeg'] as const;
export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

/** A photo in one form. */
export interface PhotoVariant {
  readonly format: PhotoFormat;
  readonly width: PhotoWidth;
}

/** The variant in one word, such as `webp-480`. */
export type VariantName = `${PhotoFormat}-${PhotoWidth}`;

export function nameOf({ format, width }: PhotoVariant): VariantName {
  return `${format}-${width}`;
}

export const PHOTO_VARIANTS: readonly PhotoVariant[] = PHOTO_FORMATS.flatMap((format) =>
  PHOTO_WIDTHS.map((width) => ({ format, width })),
);
