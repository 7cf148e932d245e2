import type { CheckReport } from '@adorn/compiler';

import type { CheckOutcome } from './check-outcome.js';
import { shownPath } from './shown-path.js';

/** A report for programs. What is there stays from release to release; more may be added. */
export function reportAsJson(report: CheckReport, { counts, passed }: CheckOutcome): string {
  const { diagnostics, silenced, tools, agents } = report;
  const { error: errors, warning: warnings, note: notes } = counts;
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  return JSON.stringify(
    {
      version: 1,
      passed,
      summary: { errors, warnings, notes, silenced, tools: tools.length, tokens },
      diagnostics: diagnostics.map(withShownPath),
      tools: tools.map(withShownPath),
      agents: agents.map(withShownPath),
    },
    null,
    2,
  );
}

function withShownPath<Placed extends { readonly file: string }>(placed: Placed): Placed {
  return { ...placed, file: shownPath(placed.file) };
}
