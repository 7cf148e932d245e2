import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { UsageError } from '../usage.error.js';
import type { Change } from './change.js';
import { findPackageManager, type PackageManager } from './package-manager.js';
import { packageNameFault } from './package-name.js';
import { planExistingProject } from './plan-existing-project.js';
import { planNewProject } from './plan-new-project.js';
import type { TemplateName } from './template.js';

/** What `adorn new` will do. */
export interface ProjectPlan {
  readonly root: string;
  readonly template: TemplateName;
  /** There was a package.json. */
  readonly isExisting: boolean;
  readonly changes: readonly Change[];
  /** Undefined where the lock file is that of another package manager. */
  readonly packageManager: PackageManager | undefined;
}

export interface ProjectOptions {
  readonly template: TemplateName;
  /** Default: by the lock file, else the one that runs the command. */
  readonly packageManager?: PackageManager | undefined;
}

/** Files that do not make a folder a project of somebody's. */
const HARMLESS = ['.git', '.gitattributes', '.gitignore', '.idea', '.vscode', '.DS_Store', 'LICENSE'];

/**
 * Decides what to write to a folder, and writes nothing.
 *
 * @throws {UsageError} if the folder holds files and no package.json, or its name is none for a package
 */
export function planProject(folder: string, { template, packageManager }: ProjectOptions): ProjectPlan {
  const root = resolve(folder);
  const chosen = packageManager ?? findPackageManager(root);
  if (existsSync(join(root, 'package.json'))) {
    const changes = planExistingProject(root, template);
    return { root, template, isExisting: true, changes, packageManager: chosen };
  }
  refuseForeignFolder(root, folder);
  const name = basename(root);
  const fault = packageNameFault(name);
  if (fault !== undefined) throw new UsageError(fault);
  const changes = planNewProject(root, name, template, chosen ?? 'npm');
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
