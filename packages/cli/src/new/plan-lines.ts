import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

import type { Change } from './changes.js';
import { compilerOptionsOf, findTsconfigs } from './find-tsconfig.js';
import { readManifest } from './npm-init.js';
import { stepsForPnpmWorkspace } from './pnpm-workspace.js';
import { type ProjectPlan, VITE_CONFIGS } from './project-plan.js';
import { TEMPLATES } from './template.js';

const SIGNS = { create: '+', update: '~', keep: '=' } as const;

/** A line for each file: `+` is created, `~` gets something added, `=` exists and stays. */
export function changeLines({ root, changes }: ProjectPlan): string[] {
  return changes.map((change) => `  ${SIGNS[change.kind]} ${shown(root, change)}`);
}

/** What to do next. */
export function nextLines(plan: ProjectPlan, isInstalled: boolean): string[] {
  const { root, isExisting, packageManager } = plan;
  const folder = relative('', root);
  const install = packageManager === undefined ? 'install the dependencies' : `${packageManager} install`;
  return [
    ...(folder === '' ? [] : [`cd ${folder}`]),
    ...(packageManager === 'pnpm' ? stepsForPnpmWorkspace(root) : []),
    ...(isInstalled ? [] : [install]),
    ...(isExisting ? stepsOfExisting(plan) : [`${packageManager ?? 'npm'} start`]),
  ].map((step) => `  ${step}`);
}

function shown(root: string, change: Change): string {
  const path = join(relative('', root), change.path);
  return change.kind === 'update' ? `${path}: ${change.added}` : path;
}

function stepsOfExisting({ root, template, changes }: ProjectPlan): string[] {
  const agent =
    changes.find(({ path }) => basename(path) === TEMPLATES[template].agent)?.path ?? 'src/agents';
  return [
    ...stepsForErasableSyntax(root, changes),
    ...stepsForModules(root, changes),
    `npx adorn run ${agent}`,
    ...stepsForProduction(root, changes),
  ];
}

function stepsForProduction(root: string, changes: readonly Change[]): string[] {
  const configs = changes.filter(({ kind, path }) => kind === 'keep' && VITE_CONFIGS.test(path));
  if (configs.length > 0) return configs.flatMap(({ path }) => stepsForViteConfig(root, path));
  const usesVite = readFileSync(join(root, 'package.json'), 'utf8').includes('"vite"');
  if (usesVite)
    return ["add adorn() from '@adorn/compiler/vite' to the plugins of your Vite config, for production"];
  return readManifest(root)?.scripts?.['build'] === undefined && hasOurTsconfig(changes)
    ? ['add the script "build": "tsc -b && adorn build" to package.json, for production']
    : ['add "adorn build" after tsc or nest build to your build script, for production'];
}

/** The `tsconfig.json` of the templates compiles to what package.json says, and the templates are ES modules. */
function stepsForModules(root: string, changes: readonly Change[]): string[] {
  if (!hasOurTsconfig(changes) || readManifest(root)?.type === 'module') return [];
  return ['set "type": "module" in package.json: the new files are ES modules'];
}

function hasOurTsconfig(changes: readonly Change[]): boolean {
  return changes.some(({ kind, path }) => kind === 'create' && path === 'tsconfig.json');
}

/** The lines that a config of Vite or vitest lacks: without them, schemas are derived at the first call. */
function stepsForViteConfig(root: string, path: string): string[] {
  if (readFileSync(join(root, path), 'utf8').includes('@adorn/compiler/vite')) return [];
  if (path.startsWith('vitest.'))
    return [
      `add the set-up to ${path}:`,
      "  test: { globalSetup: '@adorn/compiler/vitest' }, in the object of defineConfig",
    ];
  return [
    `add the plugin to ${path}:`,
    "  import adorn from '@adorn/compiler/vite';",
    '  plugins: [adorn()], in the object of defineConfig',
  ];
}

/** With this option, which new projects of Vite have, TypeScript refuses `constructor(private readonly store: Store)`. */
function stepsForErasableSyntax(root: string, changes: readonly Change[]): string[] {
  const hasParameterProperty = changes.some(
    (change) => change.kind === 'create' && change.text.includes(') private readonly '),
  );
  if (!hasParameterProperty) return [];
  return findTsconfigs(root)
    .filter((path) => compilerOptionsOf(path)['erasableSyntaxOnly'] === true)
    .map(
      (path) => `remove "erasableSyntaxOnly" from ${relative(root, path)}: it forbids parameter properties`,
    );
}
