import { Command, Option } from 'commander';

import { askMissing } from '../new/ask-missing.js';
import { installDependencies, PACKAGE_MANAGERS, type PackageManager } from '../new/package-manager.js';
import { changeLines, nextLines } from '../new/plan-lines.js';
import { planProject, type ProjectPlan } from '../new/project-plan.js';
import { type TemplateName, TEMPLATES } from '../new/template.js';
import { writeChanges } from '../new/changes.js';

interface NewOptions {
  readonly template?: TemplateName;
  readonly pm?: PackageManager;
  readonly install: boolean;
  readonly dryRun?: boolean;
}

/** `adorn new`: a new application, or what an existing one lacks to have agents. */
export function newCommand(): Command {
  return new Command('new')
    .description('create an application, or add agents to an existing one')
    .argument('[folder]', 'a new or an empty folder, or a project with a package.json')
    .addOption(new Option('-t, --template <name>', 'what to start from').choices(Object.keys(TEMPLATES)))
    .addOption(
      new Option('--pm <name>', 'the package manager (default: by the lock file)').choices(PACKAGE_MANAGERS),
    )
    .option('--no-install', 'do not install the dependencies')
    .option('--dry-run', 'write nothing, and list what would be written')
    .addHelpText('after', AFTER)
    .action(create);
}

const AFTER = `
Templates:
${Object.entries(TEMPLATES)
  .map(([name, { description }]) => `  ${name.padEnd(9)}${description}`)
  .join('\n')}

Examples:
  $ adorn new my-app
  $ adorn new my-app --template service --pm pnpm
  $ adorn new . --dry-run`;

async function create(given: string | undefined, options: NewOptions): Promise<void> {
  const { folder, template } = await askMissing({ folder: given, template: options.template });
  const plan = planProject(folder, { template, packageManager: options.pm });
  if (options.dryRun === true) {
    print('Nothing is written. This would be:', changeLines(plan));
    return;
  }
  writeChanges(plan.root, plan.changes);
  print(titleOf(plan, folder), changeLines(plan));
  const { packageManager } = plan;
  const installs = options.install && packageManager !== undefined && isDue(plan);
  if (installs) {
    console.log(`\nInstalling with ${packageManager}:`);
    installDependencies(plan.root, packageManager);
  }
  print('\nNext:', nextLines(plan, installs));
}

function titleOf({ isExisting, changes }: ProjectPlan, folder: string): string {
  if (!isExisting) return `Created ${folder}:`;
  return changes.every(({ kind }) => kind === 'keep') ? `${folder} has all of it:` : `Added to ${folder}:`;
}

/** Dependencies are installed only if this command has added some. */
function isDue({ changes }: ProjectPlan): boolean {
  return changes.some(({ kind, path }) => path === 'package.json' && kind !== 'keep');
}

function print(title: string, lines: readonly string[]): void {
  console.log([title, ...lines].join('\n'));
}
