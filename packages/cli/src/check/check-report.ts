import type { CheckReport, Diagnostic, Severity } from '@adorn/compiler';
import { shownPath } from '@adorn/compiler/build';

/** The outcome of a check, for its last line and its exit code. */
export interface CheckOutcome {
  readonly counts: Readonly<Record<Severity, number>>;
  readonly passed: boolean;
}

/** @param maxWarnings default: no limit */
export function outcomeOf({ diagnostics }: CheckReport, maxWarnings = Infinity): CheckOutcome {
  const count = (severity: Severity): number => diagnostics.filter((one) => one.severity === severity).length;
  const counts = { error: count('error'), warning: count('warning'), note: count('note') };
  return { counts, passed: counts.error === 0 && counts.warning <= maxWarnings };
}

/** A report as JSON. Fields are stable across releases; new ones may be added. */
export function reportAsJson(report: CheckReport, { counts, passed }: CheckOutcome): string {
  const { diagnostics, unchecked, silenced, tools, agents, skills } = report;
  const { error: errors, warning: warnings, note: notes } = counts;
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  return JSON.stringify(
    {
      version: 1,
      passed,
      summary: { errors, warnings, notes, silenced, tools: tools.length, tokens },
      unchecked: unchecked.map((path) => shownPath(path)),
      diagnostics: diagnostics.map(withShownPath),
      tools: tools.map(withShownPath),
      agents: agents.map(withShownPath),
      skills: skills.map(withShownPath),
    },
    null,
    2,
  );
}

function withShownPath<Placed extends { readonly file: string }>(placed: Placed): Placed {
  return { ...placed, file: shownPath(placed.file) };
}

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** A report as workflow commands of GitHub, which annotate the lines of the findings. */
export function reportAsAnnotations({ diagnostics }: CheckReport): string[] {
  return diagnostics.map(annotation);
}

function annotation({ severity, file, line, rule, message, cure }: Diagnostic): string {
  const place = `file=${property(shownPath(file))},line=${String(line)},title=${property(rule)}`;
  return `::${COMMANDS[severity]} ${place}::${data(`${message} ${cure}`.trim())}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
