import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

import type { Change } from './change.js';
import { addDependencies, type Dependencies, missingDependencies, pinVersions } from './dependencies.js';
import { parseJson, setProperty } from './edit-json.js';
import { compilerOptionsOf, findTsconfigs } from './find-tsconfig.js';
import { readTemplate, type TemplateFile, type TemplateName } from './template.js';

const OPTIONS = ['experimentalDecorators', 'emitDecoratorMetadata'] as const;

/** What a project with a package.json lacks: dependencies, compiler options, and the agents of the template. */
export function planExistingProject(root: string, template: TemplateName): Change[] {
  const files = readTemplate(template);
  return [planManifest(root, files), ...planTsconfigs(root, files), ...planAgents(root, files)];
}

function planManifest(root: string, files: readonly TemplateFile[]): Change {
  const path = 'package.json';
  const before = readFileSync(join(root, path), 'utf8');
  const wanted = JSON.parse(pinVersions(textOf(files, path))) as Dependencies;
  const present = parseJson(join(root, path), before) as Partial<Dependencies>;
  const missing = missingDependencies(asTools(wanted), present);
  const names = [...Object.keys(missing.dependencies), ...Object.keys(missing.devDependencies)];
  if (names.length === 0) return { kind: 'keep', path };
  return { kind: 'update', path, before, text: addDependencies(before, missing), added: names.join(', ') };
}

/** An existing application has a main file of its own, so that it needs the command only for development. */
function asTools({ dependencies, devDependencies }: Dependencies): Dependencies {
  const { '@adorn/cli': cli = '', ...needed } = dependencies;
  return { dependencies: needed, devDependencies: { '@adorn/cli': cli, ...devDependencies } };
}

function planTsconfigs(root: string, files: readonly TemplateFile[]): Change[] {
  const found = findTsconfigs(root);
  if (found.length > 0) return found.map((path) => planOptions(root, path));
  return [{ kind: 'create', path: 'tsconfig.json', text: textOf(files, 'tsconfig.json') }];
}

function planOptions(root: string, found: string): Change {
  const path = relative(root, found).replaceAll('\\', '/');
  const options = compilerOptionsOf(found);
  const missing = OPTIONS.filter((option) => options[option] !== true);
  if (missing.length === 0) return { kind: 'keep', path };
  const before = readFileSync(found, 'utf8');
  const text = missing.reduceRight(
    (edited, option) => setProperty(edited, ['compilerOptions', option], true),
    before,
  );
  return { kind: 'update', path, before, text, added: missing.join(', ') };
}

/** Agents and tools of the template; its main file and its tests, which are for node:test, stay away. */
function planAgents(root: string, files: readonly TemplateFile[]): Change[] {
  return files
    .filter(({ path }) => path.startsWith('src/') && !path.endsWith('.spec.ts') && path !== 'src/main.ts')
    .map((file): Change => {
      const path = `src/agents/${basename(file.path)}`;
      const present = [path, file.path].find((place) => existsSync(join(root, place)));
      return present === undefined
        ? { kind: 'create', path, text: file.text }
        : { kind: 'keep', path: present };
    });
}

function textOf(files: readonly TemplateFile[], path: string): string {
  return files.find((file) => file.path === path)?.text ?? '';
}
