import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Folders that a spec writes; they are removed after each test. */
export class SkillFolders {
  private readonly made: string[] = [];

  constructor() {
    afterEach(() => {
      for (const folder of this.made.splice(0)) rmSync(folder, { recursive: true, force: true });
    });
  }

  /** Writes a folder of skills, such as `{ 'pdf/SKILL.md': … }`. @returns its path */
  write(files: Files): string {
    const folder = mkdtempSync(join(tmpdir(), 'skills-'));
    this.made.push(folder);
    this.add(folder, files);
    return folder;
  }

  /** Writes or replaces files of a folder. */
  add(folder: string, files: Files): void {
    for (const [path, data] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), data);
    }
  }
}

/** The text of a `SKILL.md`. */
export function skillText(
  name: string,
  {
    description = `What ${name} is for.`,
    body = `How to do ${name}.`,
    more = '',
  }: { description?: string; body?: string; more?: string } = {},
): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\n\n# ${name}\n\n${body}\n`;
}
