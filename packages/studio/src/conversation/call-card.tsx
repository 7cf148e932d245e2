import { useState } from 'preact/hooks';

import { CallPage } from '../call-ui/call-page.js';
import { JsonView } from '../inspector/json-view.js';
import { callId, select } from '../page/address.js';
import { Icon } from '../page/icon.js';
import { durationText } from '../page/words.js';
import { findTool } from '../server/app-graph.js';
import { owner, pending } from '../server/open-session.js';
import { Arguments, Effect, shortJson } from './call-parts.js';
import { RequestForm } from './request-form.js';
import { type CallItem, type CallStatus, errorOf } from './thread.js';
import { waitsForText } from './who-answers.js';

const WORDS: Readonly<Record<Exclude<CallStatus, 'waiting'>, string>> = {
  running: 'running',
  done: 'done',
  refused: 'refused',
  failed: 'failed',
};

/** A call of a tool: what was called with what, how it stands, and its result. One that waits is the form that answers it. */
export function CallCard({ item }: { readonly item: CallItem }) {
  const { call, status, result, request } = item;
  const tool = findTool(call.tool, item.author);
  const isSelected = callId.value === call.id;
  const waiting =
    status === 'waiting' ? pending.value.find(({ id }) => id === request?.request.id) : undefined;
  const word = status === 'waiting' ? waitsForText(waiting) : WORDS[status];
  return (
    <article
      class={`call call-${status}${isSelected ? ' is-selected' : ''}`}
      aria-label={`Call of ${call.tool}: ${word}`}
    >
      <header class="call-head">
        <span class="call-dot" aria-hidden="true">
          {status === 'done' && <Icon name="check" />}
          {(status === 'failed' || status === 'refused') && <Icon name="close" />}
        </span>
        <button
          type="button"
          class="call-name"
          aria-pressed={isSelected}
          onClick={() => (isSelected ? select(undefined) : select(item.eventId, call.id))}
        >
          {call.tool}
        </button>
        <Effect tool={tool} />
        <span class="call-status">
          {word}
          {item.endedAt !== undefined &&
            status === 'done' &&
            ` in ${durationText(item.endedAt - item.startedAt)}`}
        </span>
      </header>
      {waiting === undefined && <Arguments args={call.args} />}
      {waiting ? <RequestForm request={waiting} tool={tool} by={item.author} /> : <Result item={item} />}
      {waiting === undefined && result?.ui !== undefined && (
        <CallPage callId={call.id} title={`Page of ${call.tool}`} />
      )}
      {waiting === undefined && result?.willContinue === true && (
        <p class="call-note">More results will come.</p>
      )}
    </article>
  );
}

function Result({ item: { result, status, answer, approvedBy } }: { readonly item: CallItem }) {
  const [isOpen, setOpen] = useState(false);
  if (!result) return status === 'running' ? <p class="call-note is-busy">Running…</p> : null;
  const edited = answer?.response['args'];
  const reason = status === 'refused' ? (answer?.response['reason'] ?? undefined) : undefined;
  const error = errorOf(result);
  const others = approvedBy.filter((by) => by !== owner.value);
  if (status === 'refused') {
    const by = otherThan(owner.value, answer?.response['by']);
    const rejected = by === undefined ? 'Rejected' : `Rejected by ${by}`;
    return (
      <p class="call-error">
        {typeof reason === 'string' && reason !== ''
          ? `${rejected}: ${reason}`
          : by === undefined
            ? (error ?? 'Rejected.')
            : `${rejected}.`}
      </p>
    );
  }
  if (error !== undefined) return <p class="call-error">{error}</p>;
  const text = shortJson(resultOf(result.response));
  const isLong = text.length > 160;
  return (
    <div class="call-result">
      {others.length > 0 && <p class="call-note">Approved by {others.join(', ')}</p>}
      {edited !== undefined && edited !== null && (
        <p class="call-note">Ran with changed arguments: {shortJson(edited)}</p>
      )}
      {isOpen ? (
        <JsonView value={resultOf(result.response)} depth={2} label="Result" />
      ) : (
        <code class="call-preview">{text.slice(0, 400)}</code>
      )}
      {isLong && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'All of the result'}
        </button>
      )}
    </div>
  );
}

/** A name in a log, if it is not that of the user who reads it. */
function otherThan(reader: string | undefined, by: unknown): string | undefined {
  return typeof by === 'string' && by !== '' && by !== reader ? by : undefined;
}

/** The value of a tool that returned no object is under `result`. */
function resultOf(response: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(response);
  return names.length === 1 && names[0] === 'result' ? response['result'] : response;
}
