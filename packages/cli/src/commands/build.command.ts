import { type CommandContext, defineCommand } from '../command/declaration.js';
import { flag, type Parameters, type ValuesOf } from '../command/parameter.js';
import { FOLDER, json, PROJECT, projectNamed } from '../command/shared-parameters.js';
import { counted } from '../terminal/counted.js';
import { printJson } from '../terminal/print.js';
import { WorkInProgress } from '../terminal/work-in-progress.js';
import { UsageError } from '../usage.error.js';

const OPTIONS = {
  project: PROJECT,
  check: flag('write nothing, and fail if something would be written; for continuous integration'),
  watch: flag('write them again after tsc has emitted a file or a type has changed; for use with tsc -w', {
    short: 'w',
  }),
  json: json('print how many tools, classes and files there are as JSON'),
} satisfies Parameters;

/** `adorn build`: writes the tools' schemas into the code that tsc has emitted. */
export const buildCommand = defineCommand({
  name: 'build',
  summary: "write the schemas of all tools into the project's emitted JavaScript, after tsc",
  arguments: { folder: FOLDER },
  options: OPTIONS,
  exitCodes: { 1: 'a tool has no schema, or with --check: something would be written' },
  elsewhere: {
    dir: 'the folder as the argument',
    root: 'the folder as the argument',
    tools: 'nothing: tools are found by @tool',
  },
  examples: [
    'tsc && adorn build',
    'tsc -p packages/agents && adorn build packages/agents',
    'tsc -b && adorn build --check',
    'tsc -w, and in another terminal: adorn build --watch',
  ],
  run: build,
});

/** TypeScript, which takes about a second to load, is loaded only if something has changed since the last build. */
async function build(
  { check, watch, json: isJson, ...named }: ValuesOf<typeof OPTIONS> & ValuesOf<{ folder: typeof FOLDER }>,
  { output, errors }: CommandContext,
): Promise<void> {
  if (check && watch) {
    throw new UsageError(
      '--check and --watch cannot be combined: --check writes nothing, --watch writes until it is stopped. Remove one.',
    );
  }
  const project = projectNamed(named);
  if (watch) {
    const { watchBuild } = await import('../watch/watch-build.js');
    return watchBuild(project);
  }
  const log = (line: string): void => {
    if (!isJson) output.write(`${line}\n`);
  };
  const { buildSchemas } = await import('@adorn/compiler/build');
  using working = new WorkInProgress(errors, !isJson);
  const { files, classes, tools } = await buildSchemas({
    project,
    check,
    log: (line) => {
      working.done();
      log(line);
    },
    onStep: (step) => working.on(step),
  });
  working.done();
  if (isJson) printJson(output, { tools, classes, files });
  else log(`${counted(tools, 'tool')} of ${counted(classes, 'class')} in ${counted(files, 'file')}.`);
}
