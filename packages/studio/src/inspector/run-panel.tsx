import type { AnswerFrame, Frame } from '@adorn/server/client';

import { runId, select } from '../page/address.js';
import { clockText, countText, durationText, plural } from '../page/words.js';
import { activeRun, firstPieces, frames, owner, pendingIds, runIds } from '../server/open-session.js';
import { isDeveloper } from '../server/app-graph.js';
import { type Bar, timelineOf } from '../timeline/run-timeline.js';
import { ExplainPanel } from './explain-panel.js';

/** A run in figures, and its steps. */
export function RunPanel() {
  const ids = runIds.value;
  const id = runId.value ?? ids.at(-1);
  if (id === undefined)
    return (
      <p class="empty">The steps of a run are listed here while it goes on. Select one to see all of it.</p>
    );
  const isActive = activeRun.value !== undefined && id === ids.at(-1);
  const now = Date.now() / 1000;
  const timeline = timelineOf(frames.value, id, { now, pending: pendingIds.value, isActive, firstPieces });
  const bars = timeline.rows.flatMap((row) => row.bars);
  const own = frames.value.filter(
    (frame) => frame.kind !== 'end' && frame.invocationId === id && !isPartial(frame),
  );
  const waited = bars
    .filter(({ kind }) => kind === 'wait')
    .reduce((sum, bar) => sum + bar.end - bar.start, 0);
  return (
    <>
      <dl class="figures">
        <Figure name="took" value={durationText(timeline.end - timeline.start)} />
        <Figure name="model calls" value={countText(bars.filter(isModelCall).length)} />
        <Figure
          name="tool calls"
          value={countText(new Set(own.flatMap((frame) => (frame.kind === 'call' ? [frame.id] : []))).size)}
        />
        {timeline.tokens > 0 && <Figure name="tokens" value={countText(timeline.tokens)} />}
        {waited > 0 && <Figure name="waited" value={durationText(waited)} />}
      </dl>
      <h3>{plural(own.length, 'step')}</h3>
      <ol class="steps">
        {own.map((frame, index) => (
          <Step key={index} frame={frame} start={timeline.start} />
        ))}
      </ol>
      {isDeveloper.value && <ExplainPanel />}
    </>
  );
}

/** An answer that has failed is an error, and has counted its tokens. */
function isModelCall({ kind, tokens }: Bar): boolean {
  return kind === 'model' || (kind === 'error' && tokens !== undefined);
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dd>{value}</dd>
      <dt>{name}</dt>
    </div>
  );
}

function Step({ frame, start }: { readonly frame: Frame; readonly start: number }) {
  if (frame.kind === 'end') return null;
  const time = frame.timestamp ?? start;
  return (
    <li>
      <button
        type="button"
        class="step"
        data-step={frame.eventId}
        onClick={() => select(frame.eventId, 'tool' in frame ? callOf(frame) : undefined)}
      >
        <span class="step-time" title={clockText(time)}>
          +{durationText(time - start)}
        </span>
        <span class={`step-kind step-${frame.kind}`}>{kindOf(frame)}</span>
        <span class="step-text">{textOf(frame)}</span>
      </button>
    </li>
  );
}

function kindOf(frame: Exclude<Frame, { kind: 'end' }>): string {
  if (frame.author !== 'user') return frame.kind;
  return frame.kind === 'answer' && otherIn(frame) !== undefined ? 'answer' : 'you';
}

/** Who answered, if it was not the user of the session. */
function otherIn({ response }: AnswerFrame): string | undefined {
  const { by } = response;
  return typeof by === 'string' && by !== owner.value ? by : undefined;
}

function answerText(frame: AnswerFrame): string {
  const { confirmed, delegateTo } = frame.response;
  const by = otherIn(frame) === undefined ? '' : ` by ${String(otherIn(frame))}`;
  if (typeof delegateTo === 'string') return `passed on to ${delegateTo}${by}`;
  return `${confirmed === true ? 'approved' : confirmed === false ? 'rejected' : 'answered'}${by}`;
}

function callOf(frame: Frame): string | undefined {
  return frame.kind === 'call' || frame.kind === 'result' ? frame.id : undefined;
}

function textOf(frame: Exclude<Frame, { kind: 'end' }>): string {
  switch (frame.kind) {
    case 'text':
      return frame.text;
    case 'file':
      return frame.name ?? frame.mimeType;
    case 'call':
    case 'result':
      return frame.tool;
    case 'answer':
      return answerText(frame);
    case 'request':
      return frame.request.hint ?? frame.request.tool;
    case 'error':
      return frame.code;
    case 'state':
      return frame.transferToAgent === undefined ? changesOf(frame) : `to ${frame.transferToAgent}`;
  }
}

function changesOf({ stateDelta, artifactDelta }: Extract<Frame, { kind: 'state' }>): string {
  return [...Object.keys(stateDelta), ...Object.keys(artifactDelta)].join(', ') || 'no change';
}

function isPartial(frame: Frame): boolean {
  return 'partial' in frame && frame.partial === true;
}
