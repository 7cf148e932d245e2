import { Command } from 'commander';

import { counted } from '../terminal/counted.js';

interface BuildOptions {
  readonly project: string;
  readonly check?: boolean;
}

/** `adorn build`: writes the tools' schemas into the code that tsc has emitted. */
export function buildCommand(): Command {
  return new Command('build')
    .description("write the schemas of all tools into the project's emitted JavaScript, after tsc")
    .option('-p, --project <tsconfig>', 'the project, or the folder of its tsconfig.json', '.')
    .option('--check', 'write nothing, and fail where something would be written: for continuous integration')
    .action(build);
}

/** The compiler is loaded only here: it brings TypeScript, which takes its second. */
async function build({ project, check = false }: BuildOptions): Promise<void> {
  const { buildSchemas } = await import('@adorn/compiler');
  const { files, classes, tools } = await buildSchemas({ project, check, log: console.log });
  console.log(`${counted(tools, 'tool')} of ${counted(classes, 'class')} in ${counted(files, 'file')}.`);
}
