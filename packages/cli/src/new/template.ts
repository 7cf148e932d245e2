import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const TEMPLATES = {
  minimal: 'one agent with one tool',
  service: 'an injected service, and a tool that asks for confirmation',
  agents: 'a root agent that hands over to two sub-agents',
} as const;

export type TemplateName = keyof typeof TEMPLATES;

/** A file of a template. */
export interface TemplateFile {
  /** From the folder of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

const MANIFEST = createRequire(import.meta.url).resolve('@adorn/cli/package.json');

/** The files of a template, as they stand in this package. npm would not publish a `.gitignore`: it is `gitignore` here. */
export function readTemplate(name: TemplateName): TemplateFile[] {
  const folder = join(dirname(MANIFEST), 'templates', name);
  const paths = [...filesIn(folder), ...filesIn(join(folder, 'src')).map((file) => `src/${file}`)];
  return paths.map((path) => ({
    path: path === 'gitignore' ? '.gitignore' : path,
    text: readFileSync(join(folder, path), 'utf8'),
  }));
}

/** The version of this package. All packages of Adorn have the same one. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string };
  return version;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}
