import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The templates, each with the file of its root agent. */
export const TEMPLATES = {
  minimal: { description: 'one agent with one tool', agent: 'hello.agent.ts' },
  service: {
    description: 'an injected service, and a tool that asks for confirmation',
    agent: 'reception.agent.ts',
  },
  agents: { description: 'a root agent that hands over to two sub-agents', agent: 'desk.agent.ts' },
} as const;

export type TemplateName = keyof typeof TEMPLATES;

/** A file of a template. */
export interface TemplateFile {
  /** From the folder of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** What a coding agent has to know of Adorn, in any project. */
export const SKILL = '.agents/skills/adorn/SKILL.md';
/** Files of all templates, for coding agents: sources in the folder `templates/shared`, by their paths in the project. */
const SHARED = { 'AGENTS.md': 'AGENTS.md', [SKILL]: 'skill/SKILL.md' };

const MANIFEST = createRequire(import.meta.url).resolve('@adorn/cli/package.json');

/** Where the templates are in this package. */
export const TEMPLATE_FOLDER = join(dirname(MANIFEST), 'templates');

/** The files of a template in this package. npm does not publish a `.gitignore`, so it is named `gitignore` here. */
export function readTemplate(name: TemplateName): TemplateFile[] {
  const folder = join(TEMPLATE_FOLDER, name);
  const paths = [...filesIn(folder), ...filesIn(join(folder, 'src')).map((file) => `src/${file}`)];
  return [
    ...paths.map((path) => ({
      path: path === 'gitignore' ? '.gitignore' : path,
      text: readFileSync(join(folder, path), 'utf8'),
    })),
    ...Object.entries(SHARED).map(([path, source]) => ({
      path,
      text: readFileSync(join(TEMPLATE_FOLDER, 'shared', source), 'utf8'),
    })),
  ];
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
