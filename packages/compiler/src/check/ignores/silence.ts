import { ts } from '../../typescript.js';
import type { Finding } from '../rules/rule.js';
import type { Ignore } from './ignores-of-file.js';

/** A finding with the name of its rule. */
export interface RuledFinding extends Finding {
  readonly rule: string;
}

export interface Silenced {
  /** The findings that no ignore silences. */
  readonly open: readonly RuledFinding[];
  readonly silenced: number;
  /** The findings about the ignores themselves. */
  readonly misused: readonly Misused[];
}

export interface Misused {
  readonly ignore: Ignore;
  readonly message: string;
  readonly cure: string;
}

/** Takes the findings away that an ignore with a reason speaks of, and says which ignores do no work. */
export function silence(
  findings: readonly RuledFinding[],
  ignores: readonly Ignore[],
  rules: ReadonlySet<string>,
): Silenced {
  const used = new Set<string>();
  const open = findings.filter((finding) => {
    const speaking = ignores.filter((ignore) => ignore.reason !== '' && speaksOf(ignore, finding));
    for (const ignore of speaking) used.add(useOf(ignore, finding.rule));
    return speaking.length === 0;
  });
  const misused = ignores.flatMap((ignore) => misuses(ignore, used, rules));
  return { open, silenced: findings.length - open.length, misused };
}

function speaksOf({ rules, target }: Ignore, { rule, node }: Finding & { readonly rule: string }): boolean {
  return (
    rules.includes(rule) &&
    ts.findAncestor(node, (one) => one === target) !== undefined &&
    !ts.isSourceFile(target)
  );
}

function useOf({ target, position }: Ignore, rule: string): string {
  return `${target.getSourceFile().fileName} ${String(position)} ${rule}`;
}

function misuses(ignore: Ignore, used: ReadonlySet<string>, rules: ReadonlySet<string>): Misused[] {
  if (ignore.rules.length === 0)
    return [{ ignore, message: 'adorn-ignore names no rule.', cure: `Write "adorn-ignore <rule>: <why>".` }];
  if (ignore.reason === '')
    return [
      {
        ignore,
        message: 'adorn-ignore gives no reason, so it silences nothing.',
        cure: 'Write why after a colon.',
      },
    ];
  return ignore.rules.flatMap((rule) => {
    if (!rules.has(rule))
      return [{ ignore, message: `There is no rule ${rule}.`, cure: '"adorn check --rules" lists them.' }];
    if (used.has(useOf(ignore, rule))) return [];
    return [{ ignore, message: `adorn-ignore ${rule} silences nothing.`, cure: 'Take it away.' }];
  });
}
