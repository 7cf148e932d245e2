import type { Browser } from 'playwright-core';

/** What is compared. */
interface Comparison {
  /** A picture in WebP. */
  readonly one: Buffer;
  readonly other: Buffer;
  /** The side of a square in pixels, 1 for a comparison pixel by pixel. */
  readonly square: number;
}

/**
 * How far two pictures differ: the share of their squares whose mean brightness differs. With squares of 20 pixels, letters of
 * another font change few, and another view changes many.
 *
 * @returns 0 to 1; undefined if they have not the same size
 */
export async function differenceOf(
  browser: Browser,
  { one, other, square }: Comparison,
): Promise<number | undefined> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  const sources = [one, other].map((picture) => `data:image/webp;base64,${picture.toString('base64')}`);
  return await page.evaluate(compare, { sources, square });
}

/** Runs in the browser. */
async function compare({ sources, square }: { sources: readonly string[]; square: number }) {
  /** Of 255. */
  const LEAST_STEP = 24;
  const images = await Promise.all(
    sources.map(async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      return image;
    }),
  );
  const { width, height } = images[0] ?? new Image();
  if (images.some((image) => image.width !== width || image.height !== height)) return undefined;
  const columns = Math.ceil(width / square);
  const rows = Math.ceil(height / square);
  const squares = images.map((image) => {
    const canvas = new OffscreenCanvas(columns, rows);
    const drawing = canvas.getContext('2d');
    if (!drawing) throw new Error('Chromium draws nothing.');
    drawing.imageSmoothingQuality = 'high';
    drawing.drawImage(image, 0, 0, columns, rows);
    const { data } = drawing.getImageData(0, 0, columns, rows);
    return Array.from({ length: columns * rows }, (_, index) => {
      const [red = 0, green = 0, blue = 0] = data.subarray(4 * index);
      return 0.3 * red + 0.59 * green + 0.11 * blue;
    });
  });
  const [first = [], second = []] = squares;
  const changed = first.filter((value, index) => Math.abs(value - (second[index] ?? 0)) > LEAST_STEP);
  return changed.length / first.length;
}
