import { type CommandContext, defineCommand } from '../command/declaration.js';
import { choice, flag, flagOff, type Parameters, text, texts, type ValuesOf } from '../command/parameter.js';
import { json } from '../command/shared-parameters.js';
import { askMissing } from '../new/ask-missing.js';
import { writeChanges } from '../new/changes.js';
import { installDependencies, PACKAGE_MANAGERS } from '../new/package-manager.js';
import { changeLines, nextLines } from '../new/plan-lines.js';
import { type Addition, ADDITIONS, planProject, type ProjectPlan } from '../new/project-plan.js';
import { type TemplateName, TEMPLATES } from '../new/template.js';
import { printJson } from '../terminal/print.js';

const FOLDER = text('[folder]', 'a new or an empty folder, or a project with a package.json', {
  completes: 'files',
});

const OPTIONS = {
  template: choice('<name>', 'what to start from', Object.keys(TEMPLATES) as TemplateName[], { short: 't' }),
  pm: choice('<name>', 'the package manager (default: by the lock file)', PACKAGE_MANAGERS),
  with: texts(
    '<what...>',
    'what else a new application gets: docker, a server and its container; ci, a workflow for GitHub Actions',
    {
      choices: ADDITIONS,
    },
  ),
  install: flagOff('do not install the dependencies'),
  dryRun: flag('write nothing, and list what would be written'),
  json: json('print the files and what was done with each as JSON'),
} satisfies Parameters;

/** `adorn new`: a new application, or what an existing one lacks to have agents. */
export const newCommand = defineCommand({
  name: 'new',
  summary: 'create an application, or add agents to an existing one',
  arguments: { folder: FOLDER },
  options: OPTIONS,
  notes: `
Templates:
${Object.entries(TEMPLATES)
  .map(([name, { description }]) => `  ${name.padEnd(9)}${description}`)
  .join('\n')}`,
  exitCodes: { 1: 'a file could not be written, and none was; or the dependencies could not be installed' },
  elsewhere: {
    type: '--template',
    model: 'nothing: the model stands in the agent',
    'api-key': 'nothing: put GEMINI_API_KEY into the environment',
    'use-npm': '--pm npm',
    'use-pnpm': '--pm pnpm',
    default: '--template minimal',
  },
  examples: [
    'adorn new my-app',
    'adorn new my-app --template service --pm pnpm',
    'adorn new my-app --with docker ci',
    'adorn new . --dry-run',
  ],
  run: create,
});

async function create(
  { folder: given, json: isJson, ...options }: ValuesOf<typeof OPTIONS> & { readonly folder?: string },
  { output }: CommandContext,
): Promise<void> {
  const print = (title: string, lines: readonly string[]): void => {
    if (!isJson) output.write(`${[title, ...lines].join('\n')}\n`);
  };
  const { folder, template } = await askMissing({ folder: given, template: options.template });
  const additions = options.with as readonly Addition[];
  const plan = planProject(folder, { template, packageManager: options.pm, additions });
  const { root, changes, packageManager } = plan;
  if (options.dryRun) {
    print('Nothing is written. This would be:', changeLines(plan));
  } else {
    writeChanges(root, changes);
    print(titleOf(plan, folder), changeLines(plan));
  }
  const installs = !options.dryRun && options.install && packageManager !== undefined && isDue(plan);
  if (installs) {
    print(`\nInstalling with ${packageManager}:`, []);
    installDependencies(root, packageManager, { isQuiet: isJson });
  }
  if (!options.dryRun) print('\nNext:', nextLines(plan, installs));
  if (isJson)
    printJson(output, { root, changes: changes.map(({ kind, path }) => ({ kind, path })), installs });
}

function titleOf({ isExisting, changes }: ProjectPlan, folder: string): string {
  if (!isExisting) return `Created ${folder}:`;
  return changes.every(({ kind }) => kind === 'keep') ? `${folder} has all of it:` : `Added to ${folder}:`;
}

/** Dependencies are installed only if this command has added some. */
function isDue({ changes }: ProjectPlan): boolean {
  return changes.some(({ kind, path }) => path === 'package.json' && kind !== 'keep');
}
