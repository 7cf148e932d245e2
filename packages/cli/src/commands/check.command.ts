import type { CheckReport } from '@adorn/compiler';
import { DIALECTS } from '@adorn/core/dialects';

import { type CheckOutcome, outcomeOf, reportAsAnnotations, reportAsJson } from '../check/check-report.js';
import { reportAsText, ruleLines } from '../check/report-as-text.js';
import { type CommandContext, defineCommand } from '../command/declaration.js';
import { FAILED } from '../command/exit-codes.js';
import { choice, count, flag, type Parameters, texts, type ValuesOf } from '../command/parameter.js';
import { FOLDER, json, PROJECT, projectNamed } from '../command/shared-parameters.js';
import type { Line } from '../terminal/palette.js';
import { printJson, printLines } from '../terminal/print.js';
import { WorkInProgress } from '../terminal/work-in-progress.js';

const OPTIONS = {
  project: PROJECT,
  dialect: texts(
    '<name...>',
    'the dialects of the tool declarations; sizes are for the first (default: gemini)',
    {
      fallback: ['gemini'],
      choices: DIALECTS.map(({ name }) => name),
    },
  ),
  format: choice(
    '<format>',
    'text for people, JSON for programs, or annotations of a GitHub workflow',
    ['text', 'json', 'github'],
    { fallback: 'text' },
  ),
  json: json('short for --format json'),
  maxWarnings: count('<n>', 'fail if there are more warnings (default: no limit)', { least: 0 }),
  strict: flag('fail on any warning, same as --max-warnings 0'),
  notes: flag('show each note; otherwise those of a rule with several are counted'),
  rules: flag('list the rules without checking'),
} satisfies Parameters;

type CheckOptions = ValuesOf<typeof OPTIONS> & ValuesOf<{ folder: typeof FOLDER }>;

/** `adorn check`: reports problems of the tools of a project, and their size in tokens. */
export const checkCommand = defineCommand({
  name: 'check',
  summary: 'find tools in the sources of a project that cannot work, or will not work well',
  arguments: { folder: FOLDER },
  options: OPTIONS,
  notes: `
Nothing is built, run or written. Silence a finding with a comment before the method, parameter or class, with a reason:

  // adorn-ignore generic-name: the protocol calls it so
  @tool run(input: string) { … }`,
  exitCodes: { 1: 'there are errors, or too many warnings' },
  elsewhere: { dir: 'the folder as the argument', root: 'the folder as the argument' },
  examples: [
    'adorn check',
    'adorn check packages/agents --dialect gemini openai',
    'adorn check --strict --format github',
  ],
  run: check,
});

/** Loads the compiler lazily: it loads TypeScript, which takes about a second. */
async function check(options: CheckOptions, { output, errors }: CommandContext): Promise<void> {
  const format = options.json ? 'json' : options.format;
  using working = new WorkInProgress(errors, format === 'text');
  working.on('Loading TypeScript');
  const { checkProject, listRules } = await import('@adorn/compiler');
  if (options.rules) {
    working.done();
    if (format === 'json') printJson(output, listRules());
    else printLines(output, ruleLines(listRules()));
    return;
  }
  const dialects = options.dialect.flatMap((wanted) => DIALECTS.find(({ name }) => name === wanted) ?? []);
  const { inspectSkills: readSkills } = await import('@adorn/skills');
  const report = await checkProject({
    project: projectNamed(options),
    dialects,
    readSkills,
    onStep: (step) => working.on(step),
  });
  working.done();
  const outcome = outcomeOf(report, options.strict ? 0 : options.maxWarnings);
  printLines(output, linesIn({ format, report, outcome, showsNotes: options.notes }));
  if (!outcome.passed) process.exitCode = FAILED;
}

interface Checked {
  readonly format: CheckOptions['format'];
  readonly report: CheckReport;
  readonly outcome: CheckOutcome;
  readonly showsNotes: boolean;
}

function linesIn({ format, report, outcome, showsNotes }: Checked): Line[] {
  if (format === 'text') return reportAsText(report, outcome, showsNotes);
  const plain = format === 'json' ? [reportAsJson(report, outcome)] : reportAsAnnotations(report);
  return plain.map((text) => ({ tone: 'answer', text }));
}
