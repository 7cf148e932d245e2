import { useState } from 'preact/hooks';

import { IconButton } from '../page/icon.js';
import type { EvalCase, EvalResult, EvalScore, EvalTurn } from '../server/eval-sets.js';

interface EvalCaseProps {
  readonly evalCase: EvalCase;
  readonly result: EvalResult | undefined;
  readonly onRemove: () => void;
}

const STATUS: Readonly<Record<number, string>> = { 1: 'passed', 2: 'failed', 3: 'nothing expected' };

/** A case with its scores; opened, its turns as they are expected, and as they were. */
export function EvalCaseView({ evalCase: { evalId, conversation }, result, onRemove }: EvalCaseProps) {
  const [isOpen, setOpen] = useState(false);
  const turns = result?.evalMetricResultPerInvocation ?? [];
  return (
    <li class="eval-case">
      <div class="eval-head">
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {evalId}
        </button>
        {result && (
          <span class={`eval-status eval-status-${String(result.finalEvalStatus)}`}>
            {result.error === undefined ? STATUS[result.finalEvalStatus] : 'error'}
          </span>
        )}
        <IconButton icon="trash" label={`Delete the case ${evalId}`} onClick={onRemove} />
      </div>
      {result?.error !== undefined && <p class="call-error">{result.error}</p>}
      {result && (
        <dl class="eval-scores">
          {result.overallEvalMetricResults.map((score) => (
            <Score key={score.metricName} {...score} />
          ))}
        </dl>
      )}
      {isOpen &&
        conversation.map((turn, index) => (
          <Turn key={index} expected={turn} found={turns[index]?.actualInvocation} />
        ))}
    </li>
  );
}

function Score({ metricName, threshold, score, error, evalStatus }: EvalScore) {
  return (
    <div>
      <dt>{metricName.replaceAll('_', ' ').replace(/ (?:avg )?score$/, '')}</dt>
      <dd class={`eval-status-${String(evalStatus)}`}>
        {error ?? (score === undefined ? '–' : `${score.toFixed(2)} of ${String(threshold)}`)}
      </dd>
    </div>
  );
}

function Turn({ expected, found }: { readonly expected: EvalTurn; readonly found: EvalTurn | undefined }) {
  return (
    <div class="eval-turn">
      <p class="muted">{textOf(expected.userContent)}</p>
      <h4>Expected</h4>
      <Answer turn={expected} />
      {found && <h4>Found</h4>}
      {found && <Answer turn={found} />}
    </div>
  );
}

function Answer({ turn: { intermediateData, finalResponse } }: { readonly turn: EvalTurn }) {
  return (
    <>
      {(intermediateData?.toolUses ?? []).map(({ name, args }, index) => (
        <p key={index}>
          <code>
            {name} {JSON.stringify(args ?? {})}
          </code>
        </p>
      ))}
      <p>{textOf(finalResponse)}</p>
    </>
  );
}

function textOf(content: EvalTurn['finalResponse']): string {
  return (content?.parts ?? []).map(({ text = '' }) => text).join('');
}
