import type { CheckReport, Diagnostic, Severity } from '@adorn/compiler';

import { shownPath } from './shown-path.js';

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** A report as GitHub's workflow commands, which show each finding beside its line. */
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
