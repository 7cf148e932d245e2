import { Command } from 'commander';

import { watchBuild } from '../watch/watch-build.js';
import { counted } from '../terminal/counted.js';
import { UsageError } from '../usage.error.js';

interface BuildOptions {
  readonly project: string;
  readonly check?: boolean;
  readonly watch?: boolean;
}

/** `adorn build`: writes the tools' schemas into the code that tsc has emitted. */
export function buildCommand(): Command {
  return new Command('build')
    .description("write the schemas of all tools into the project's emitted JavaScript, after tsc")
    .option('-p, --project <tsconfig>', 'the project, or the folder of its tsconfig.json', '.')
    .option('--check', 'write nothing, and fail if something would be written; for continuous integration')
    .option(
      '-w, --watch',
      'write them again after tsc has emitted a file or a type has changed; for use with tsc -w',
    )
    .addHelpText('after', AFTER)
    .action(build);
}

const AFTER = `
Examples:
  $ tsc -b && adorn build
  $ tsc -b && adorn build --check
  $ tsc -w, and in another terminal: adorn build --watch`;

/** TypeScript, which takes about a second to load, is loaded only if something has changed since the last build. */
async function build({ project, check = false, watch = false }: BuildOptions): Promise<void> {
  if (check && watch) {
    throw new UsageError(
      '--check and --watch cannot be combined: --check writes nothing, --watch writes until it is stopped. Remove one.',
    );
  }
  if (watch) return watchBuild(project);
  const { buildSchemas } = await import('@adorn/compiler/build');
  const { files, classes, tools } = await buildSchemas({ project, check, log: console.log });
  console.log(`${counted(tools, 'tool')} of ${counted(classes, 'class')} in ${counted(files, 'file')}.`);
}
