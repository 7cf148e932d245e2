/** The folder of the package that a file belongs to: the nearest one above it with a `package.json`. */
export async function packageRoot(file: string): Promise<string | undefined> {
  const { existsSync } = await import('node:fs');
  const path = await import('node:path');
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}
