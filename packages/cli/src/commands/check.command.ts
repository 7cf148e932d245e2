import type { CheckReport } from '@adorn/compiler';
import { DIALECTS } from '@adorn/core/dialects';
import { Command, InvalidArgumentError, Option } from 'commander';

import { type CheckOutcome, outcomeOf, reportAsAnnotations, reportAsJson } from '../check/check-report.js';
import { reportAsText, ruleLines } from '../check/report-as-text.js';
import { type Line, type Output, paletteFor } from '../terminal/palette.js';

interface CheckOptions {
  readonly project: string;
  readonly dialect: readonly string[];
  readonly format: 'text' | 'json' | 'github';
  readonly maxWarnings?: number;
  readonly strict?: boolean;
  readonly rules?: boolean;
}

/** `adorn check`: reports problems of the tools of a project, and their size in tokens. */
export function checkCommand(output: Output = process.stdout): Command {
  const names = DIALECTS.map(({ name }) => name);
  return new Command('check')
    .description('find tools in the sources of a project that cannot work, or will not work well')
    .option('-p, --project <tsconfig>', 'the tsconfig, or the folder with tsconfig.json', '.')
    .addOption(
      new Option('--dialect <name...>', 'the dialects of the tool declarations; sizes are for the first')
        .choices(names)
        .default(['gemini']),
    )
    .addOption(
      new Option(
        '--format <format>',
        'text for people, JSON for programs, or annotations of a GitHub workflow',
      )
        .choices(['text', 'json', 'github'])
        .default('text'),
    )
    .option('--max-warnings <n>', 'fail if there are more warnings (default: no limit)', toCount)
    .option('--strict', 'fail on any warning, same as --max-warnings 0')
    .option('--rules', 'list the rules without checking')
    .addHelpText('after', AFTER)
    .action((options: CheckOptions) => check(options, output));
}

const AFTER = `
Nothing is built, run or written. The exit code is 1 if there are errors or too many warnings.
Silence a finding with a comment before the method, parameter or class, with a reason:

  // adorn-ignore generic-name: the protocol calls it so
  @tool run(input: string) { … }

Examples:
  $ adorn check
  $ adorn check -p packages/agents --dialect gemini openai
  $ adorn check --strict --format github`;

function toCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Pass a number of warnings, such as 0.');
  return Number(text);
}

/** Loads the compiler lazily: it loads TypeScript, which takes about a second. */
async function check(options: CheckOptions, output: Output): Promise<void> {
  const { checkProject, listRules } = await import('@adorn/compiler');
  if (options.rules === true) {
    print(ruleLines(listRules()), output);
    return;
  }
  const dialects = options.dialect.flatMap((wanted) => DIALECTS.find(({ name }) => name === wanted) ?? []);
  const { inspectSkills: readSkills } = await import('@adorn/skills');
  const report = await checkProject({ project: options.project, dialects, readSkills });
  const outcome = outcomeOf(report, options.strict === true ? 0 : options.maxWarnings);
  print(linesIn(options.format, report, outcome), output);
  if (!outcome.passed) process.exitCode = 1;
}

function linesIn(format: CheckOptions['format'], report: CheckReport, outcome: CheckOutcome): Line[] {
  if (format === 'text') return reportAsText(report, outcome);
  const plain = format === 'json' ? [reportAsJson(report, outcome)] : reportAsAnnotations(report);
  return plain.map((text) => ({ tone: 'answer', text }));
}

function print(lines: readonly Line[], output: Output): void {
  const palette = paletteFor(output);
  for (const { tone, text } of lines) output.write(`${palette(tone, text)}\n`);
}
