import { useState } from 'preact/hooks';

import { JsonView } from '../inspector/json-view.js';
import { callId, select } from '../page/address.js';
import { Icon } from '../page/icon.js';
import { durationText } from '../page/words.js';
import { findTool } from '../server/app-graph.js';
import { pending } from '../server/open-session.js';
import { Arguments, Effect, shortJson } from './call-parts.js';
import { RequestForm } from './request-form.js';
import { type CallItem, type CallStatus, errorOf } from './thread.js';

const WORDS: Readonly<Record<CallStatus, string>> = {
  running: 'running',
  waiting: 'waits for you',
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
  return (
    <article
      class={`call call-${status}${isSelected ? ' is-selected' : ''}`}
      aria-label={`Call of ${call.tool}: ${WORDS[status]}`}
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
          {WORDS[status]}
          {item.endedAt !== undefined &&
            status === 'done' &&
            ` in ${durationText(item.endedAt - item.startedAt)}`}
        </span>
      </header>
      {waiting === undefined && <Arguments args={call.args} />}
      {waiting ? <RequestForm request={waiting} tool={tool} by={item.author} /> : <Result item={item} />}
      {waiting === undefined && result?.willContinue === true && (
        <p class="call-note">More results will come.</p>
      )}
    </article>
  );
}

function Result({ item: { result, status, answer } }: { readonly item: CallItem }) {
  const [isOpen, setOpen] = useState(false);
  if (!result) return status === 'running' ? <p class="call-note is-busy">Running…</p> : null;
  const edited = answer?.response['args'];
  const reason = status === 'refused' ? (answer?.response['reason'] ?? undefined) : undefined;
  const error = errorOf(result);
  if (status === 'refused')
    return (
      <p class="call-error">
        {typeof reason === 'string' && reason !== '' ? `Rejected: ${reason}` : (error ?? 'Rejected.')}
      </p>
    );
  if (error !== undefined) return <p class="call-error">{error}</p>;
  const text = shortJson(resultOf(result.response));
  const isLong = text.length > 160;
  return (
    <div class="call-result">
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

/** The value of a tool that returned no object is under `result`. */
function resultOf(response: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(response);
  return names.length === 1 && names[0] === 'result' ? response['result'] : response;
}
