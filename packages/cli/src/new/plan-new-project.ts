import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Change } from './change.js';
import { pinVersions } from './dependencies.js';
import type { PackageManager } from './package-manager.js';
import { readTemplate, type TemplateFile, type TemplateName } from './template.js';

/** The name in the files of the templates, which the project's name replaces. */
const PLACEHOLDER = 'my-app';

/** The files of a template, for a folder without a project. */
export function planNewProject(
  root: string,
  name: string,
  template: TemplateName,
  packageManager: PackageManager,
): Change[] {
  return readTemplate(template).map((file): Change => {
    const { path } = file;
    if (existsSync(join(root, path))) return { kind: 'keep', path };
    return { kind: 'create', path, text: render(file, name, packageManager) };
  });
}

function render({ path, text }: TemplateFile, name: string, packageManager: PackageManager): string {
  if (path.includes('/')) return text;
  const named = text
    .replaceAll(PLACEHOLDER, name)
    .replaceAll(/\bnpm (?=run|start|test)/g, `${packageManager} `);
  return path === 'package.json' ? pinVersions(named) : named;
}
