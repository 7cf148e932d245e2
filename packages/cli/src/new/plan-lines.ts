import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { Change } from './change.js';
import type { ProjectPlan } from './project-plan.js';

const SIGNS = { create: '+', update: '~', keep: '=' } as const;

/** A line for each file: `+` is created, `~` gets something added, `=` exists and stays. */
export function changeLines({ root, changes }: ProjectPlan): string[] {
  return changes.map((change) => `  ${SIGNS[change.kind]} ${shown(root, change)}`);
}

/** What to type next. */
export function nextLines(
  { root, isExisting, changes, packageManager }: ProjectPlan,
  isInstalled: boolean,
): string[] {
  const folder = relative('', root);
  const steps = isExisting ? stepsOfExisting(root, changes) : [`${packageManager ?? 'npm'} start`];
  const install = packageManager === undefined ? 'install the dependencies' : `${packageManager} install`;
  return [...(folder === '' ? [] : [`cd ${folder}`]), ...(isInstalled ? [] : [install]), ...steps].map(
    (step) => `  ${step}`,
  );
}

function shown(root: string, change: Change): string {
  const path = join(relative('', root), change.path);
  return change.kind === 'update' ? `${path}: ${change.added}` : path;
}

function stepsOfExisting(root: string, changes: readonly Change[]): string[] {
  const agent = changes.find(({ path }) => path.endsWith('.agent.ts'))?.path ?? 'src/agents';
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const usesVite = manifest.includes('"vite"') || existsSync(join(root, 'vite.config.ts'));
  const production = usesVite
    ? "add adorn() from '@adorn/compiler/vite' to the plugins of your Vite config, for production"
    : 'add "adorn build" after tsc or nest build to your build script, for production';
  return [`npx adorn run ${agent}`, production];
}
