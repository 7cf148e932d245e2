import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { addDependencies } from './dependencies.js';
import { setProperty } from './edit-json.js';
import type { PackageManager } from './package-manager.js';
import { TEMPLATE_FOLDER, type TemplateFile, type TemplateName, TEMPLATES } from './template.js';

/** The agent that the server in `templates/docker` serves, as it is written there. */
const SERVED = { name: 'Hello', path: '../../minimal/src/hello.agent.js' };
const INSTALL = 'npm ci && npm run build && npm prune --omit=dev';
const INSTALLS: Readonly<Record<PackageManager, string>> = {
  npm: INSTALL,
  pnpm: 'corepack enable && pnpm install --frozen-lockfile && pnpm run build && pnpm prune --prod',
};

/** Adds a server of the root agent to the files of a template, and what an image of it is built from. */
export function withDocker(
  files: readonly TemplateFile[],
  template: TemplateName,
  packageManager: PackageManager,
): TemplateFile[] {
  const { agent } = TEMPLATES[template];
  const server = read('src/server.ts')
    .replace(SERVED.path, `./${agent.replace(/\.ts$/, '.js')}`)
    .replaceAll(SERVED.name, classOf(agent));
  return [
    ...files.map((file) => (file.path === 'package.json' ? { ...file, text: withServer(file.text) } : file)),
    { path: 'src/server.ts', text: server },
    { path: 'Dockerfile', text: read('Dockerfile').replace(INSTALL, INSTALLS[packageManager]) },
    { path: '.dockerignore', text: read('dockerignore') },
  ];
}

function withServer(manifest: string): string {
  const packages = { '@adorn/server': '*', '@adorn/storage': '*' };
  const text = addDependencies(manifest, { dependencies: packages, devDependencies: {} });
  return setProperty(text, ['scripts', 'serve'], 'npm run build && node build/server.js');
}

/** `Hello` of `hello.agent.ts`. */
function classOf(agent: string): string {
  const [name = ''] = agent.split('.');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function read(path: string): string {
  return readFileSync(join(TEMPLATE_FOLDER, 'docker', path), 'utf8');
}
