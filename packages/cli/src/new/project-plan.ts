import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

import { UsageError } from '../usage.error.js';
import type { Change } from './changes.js';
import { addDependencies, type Dependencies, missingDependencies, pinVersions } from './dependencies.js';
import { parseJson, setProperty } from './edit-json.js';
import { withCi } from './ci.js';
import { isJustInitialised, type Manifest, readManifest, withTemplate } from './npm-init.js';
import { compilerOptionsOf, findTsconfigs } from './find-tsconfig.js';
import { withDocker } from './docker.js';
import { findPackageManager, type PackageManager } from './package-manager.js';
import { packageNameFault } from './package-name.js';
import { planPnpmWorkspace } from './pnpm-workspace.js';
import { readTemplate, SKILL, type TemplateFile, type TemplateName } from './template.js';

/** What `adorn new` will do. */
export interface ProjectPlan {
  readonly root: string;
  readonly template: TemplateName;
  /** There was a project: a package.json, in which more than `npm init` was done. */
  readonly isExisting: boolean;
  readonly changes: readonly Change[];
  /** Undefined where the lock file is that of another package manager. */
  readonly packageManager: PackageManager | undefined;
}

interface ProjectOptions {
  readonly template: TemplateName;
  /** Default: by the lock file, else the one that runs the command. */
  readonly packageManager?: PackageManager | undefined;
  /** What a new application gets besides its template. Default: nothing. */
  readonly additions?: readonly Addition[];
}

/** Something that a new application may get besides its template. */
export const ADDITIONS = ['docker', 'ci'] as const;
export type Addition = (typeof ADDITIONS)[number];

/** Files that may be in a folder that counts as empty. */
const HARMLESS = [
  '.git',
  '.gitattributes',
  '.gitignore',
  '.idea',
  '.npmrc',
  '.nvmrc',
  '.vscode',
  '.DS_Store',
  'LICENSE',
];

/**
 * Decides what to write to a folder, and writes nothing.
 *
 * @throws {UsageError} if the folder holds files and no package.json, its name is none for a package, or something is to be added
 * to an existing application
 */
export function planProject(
  folder: string,
  { template, packageManager, additions = [] }: ProjectOptions,
): ProjectPlan {
  const root = resolve(folder);
  const chosen = packageManager ?? findPackageManager(root);
  const workspace = chosen === 'pnpm' ? planPnpmWorkspace(root) : [];
  const manifest = readManifest(root);
  if (manifest && !isJustInitialised(root, manifest)) {
    const [addition] = additions;
    if (addition !== undefined)
      throw new UsageError(
        `--with ${addition} is for new applications, and ${folder} has a package.json. Copy what a new one has: ` +
          `adorn new ../other --with ${addition}.`,
      );
    const changes = [...planExistingProject(root, template), ...workspace];
    return { root, template, isExisting: true, changes, packageManager: chosen };
  }
  if (!manifest) refuseForeignFolder(root, folder);
  const name = typeof manifest?.name === 'string' ? manifest.name : basename(root);
  const fault = manifest ? undefined : packageNameFault(name);
  if (fault !== undefined) throw new UsageError(fault);
  const manager = chosen ?? 'npm';
  let files = readTemplate(template);
  if (additions.includes('docker')) files = withDocker(files, template, manager);
  if (additions.includes('ci')) files = withCi(files, manager);
  const changes = [...planNewProject(root, name, files, manager), ...workspace];
  return { root, template, isExisting: false, changes, packageManager: chosen };
}

function refuseForeignFolder(root: string, folder: string): void {
  if (!existsSync(root)) return;
  if (!statSync(root).isDirectory())
    throw new UsageError(`${folder} is a file. Name a new or an empty folder.`);
  const [first, ...others] = readdirSync(root).filter((name) => !HARMLESS.includes(name));
  if (first === undefined) return;
  const more = others.length > 0 ? ` and ${String(others.length)} more` : '';
  throw new UsageError(
    `The folder ${folder} is not empty and has no package.json: it holds ${first}${more}. ` +
      'Name a new or an empty folder, or the folder of a project with a package.json.',
  );
}

/** The name in the files of the templates, which the project's name replaces. */
const PLACEHOLDER = 'my-app';

/** The files of a template, for a folder without a project. */
function planNewProject(
  root: string,
  name: string,
  files: readonly TemplateFile[],
  packageManager: PackageManager,
): Change[] {
  return files.map((file) => {
    const text = render(file, name, packageManager);
    return file.path === 'package.json' ? manifestOf(root, text) : createdOnce(root, file.path, text);
  });
}

/** The package.json of the template, or what the one of `npm init` lacks of it. */
function manifestOf(root: string, wanted: string): Change {
  const path = 'package.json';
  const present = readManifest(root);
  if (!present) return { kind: 'create', path, text: wanted };
  const before = readFileSync(join(root, path), 'utf8');
  const { text, added } = withTemplate(before, present, JSON.parse(wanted) as Dependencies & Manifest);
  return { kind: 'update', path, before, text, added: added.join(', ') };
}

/** A file that exists stays as it is. */
function createdOnce(root: string, path: string, text: string): Change {
  return existsSync(join(root, path)) ? { kind: 'keep', path } : { kind: 'create', path, text };
}

function render({ path, text }: TemplateFile, name: string, packageManager: PackageManager): string {
  if (path === SKILL) return text;
  const named = text
    .replaceAll(PLACEHOLDER, name)
    .replaceAll(/\bnpm (?=run|start|test)/g, `${packageManager} `);
  return path === 'package.json' ? pinVersions(named) : named;
}

const OPTIONS = ['experimentalDecorators', 'emitDecoratorMetadata'] as const;

/** What a project with a package.json lacks: dependencies, compiler options, and the agents of the template. */
function planExistingProject(root: string, template: TemplateName): Change[] {
  const files = readTemplate(template);
  return [
    planManifest(root, files),
    ...planTsconfigs(root, files),
    ...planViteConfig(root),
    ...planAgents(root, files),
    createdOnce(root, SKILL, textOf(files, SKILL)),
  ];
}

const VITEST_CONFIG = `import { defineConfig } from 'vitest/config';

// Derives the schemas of the tools before the tests; otherwise the first one waits for them.
export default defineConfig({ test: { globalSetup: '@adorn/compiler/vitest' } });
`;

export const VITE_CONFIGS = /^vite(?:st)?\.config\.[cm]?[jt]s$/;

/** The config with the set-up, for a project with vitest and without a config. An existing config is not edited. */
function planViteConfig(root: string): Change[] {
  const manifest = join(root, 'package.json');
  const present = parseJson(manifest, readFileSync(manifest, 'utf8')) as Partial<Dependencies>;
  const names = Object.keys({ ...present.dependencies, ...present.devDependencies });
  if (!names.includes('vite') && !names.includes('vitest')) return [];
  const own = readdirSync(root).filter((name) => VITE_CONFIGS.test(name));
  if (own.length > 0) return own.map((path) => ({ kind: 'keep', path }));
  return names.includes('vitest') ? [{ kind: 'create', path: 'vitest.config.ts', text: VITEST_CONFIG }] : [];
}

function planManifest(root: string, files: readonly TemplateFile[]): Change {
  const path = 'package.json';
  const before = readFileSync(join(root, path), 'utf8');
  const wanted = JSON.parse(pinVersions(textOf(files, path))) as Dependencies;
  const present = parseJson(join(root, path), before) as Partial<Dependencies>;
  const missing = missingDependencies(wanted, present);
  const names = [...Object.keys(missing.dependencies), ...Object.keys(missing.devDependencies)];
  if (names.length === 0) return { kind: 'keep', path };
  return { kind: 'update', path, before, text: addDependencies(before, missing), added: names.join(', ') };
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
