import { mkdir, readFile, writeFile } from 'node:fs/promises';

const IMAGES = new URL('../../images/', import.meta.url);

/**
 * Holds a picture of the documents against what is drawn now. With `PICTURES=write` in the environment it is written anew.
 *
 * @param path of the picture in `packages/docs/images`, such as `terminal/run.svg`
 * @param drawn the SVG document
 */
export async function expectKeptPicture(path: string, drawn: string): Promise<void> {
  const file = new URL(path, IMAGES);
  if (process.env['PICTURES'] === 'write') {
    await mkdir(new URL('.', file), { recursive: true });
    await writeFile(file, drawn);
  }
  expect(await readFile(file, 'utf8')).toBe(drawn);
}
