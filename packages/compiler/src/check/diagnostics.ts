import { placeOf } from '../source/place.js';
import type { ts } from '../typescript.js';
import type { Diagnostic, Severity } from './check-report.js';
import { ignoresOfFile } from './ignores/ignores-of-file.js';
import { type Misused, type RuledFinding, silence } from './ignores/silence.js';
import { RULES } from './rules/rules.js';
import { unusedIgnore } from './rules/unused-ignore.rule.js';

export interface Diagnosed {
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: number;
}

const SEVERITIES: ReadonlyMap<string, Severity> = new Map(
  RULES.map(({ name, severity }) => [name, severity]),
);

/** The findings of a program without the silenced ones, and the findings about ignores. */
export function diagnosed(findings: readonly RuledFinding[], files: readonly ts.SourceFile[]): Diagnosed {
  const { open, silenced, misused } = silence(
    findings,
    files.flatMap(ignoresOfFile),
    new Set(SEVERITIES.keys()),
  );
  return { diagnostics: unique([...open.map(toDiagnostic), ...misused.map(misuse)]), silenced };
}

function toDiagnostic({ rule, node, ...said }: RuledFinding): Diagnostic {
  return { rule, severity: SEVERITIES.get(rule) ?? 'error', ...placeOf(node), ...said };
}

function misuse({ ignore, message, cure }: Misused): Diagnostic {
  const { name: rule, severity } = unusedIgnore;
  const file = ignore.target.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(ignore.position).line + 1;
  return { rule, severity, file: file.fileName, line, message, cure };
}

/** A function that several agents offer is found with each of them. */
function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [JSON.stringify(one), one])).values()];
}
