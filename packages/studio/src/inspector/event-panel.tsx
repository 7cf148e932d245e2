import type { EventJson, Frame } from '@adorn/server/client';

import { Effect } from '../conversation/call-parts.js';
import { callId, select } from '../page/address.js';
import { announcement } from '../page/appearance.js';
import { Icon } from '../page/icon.js';
import { clockText, countText, durationText } from '../page/words.js';
import { findTool } from '../server/app-graph.js';
import { frames, thread } from '../server/open-session.js';
import { JsonView } from './json-view.js';
import { EventActions } from './event-actions.js';

/** An event of the log: its frames in words, what it cost and changed, and its JSON. */
export function EventPanel({ id }: { readonly id: string }) {
  const own = frames.value.filter(
    (frame): frame is Exclude<Frame, { kind: 'end' }> => frame.kind !== 'end' && frame.eventId === id,
  );
  const [first] = own;
  const event = own.find((frame) => frame.event !== undefined)?.event;
  if (!first) return <p class="empty">This event is not in the session any more.</p>;
  return (
    <>
      <p class="event-facts">
        {first.author} · {clockText(first.timestamp ?? 0)}
      </p>
      {callId.value !== undefined && <CallDetail id={callId.value} />}
      {event !== undefined && <Usage event={event} />}
      <Changes event={event} />
      <EventActions id={id} />
      <section>
        <div class="section-head">
          <h3>Event</h3>
          <button type="button" class="link" onClick={() => void copy(event ?? own)}>
            <Icon name="copy" /> copy
          </button>
        </div>
        <JsonView value={event ?? own} depth={1} label="The event as JSON" />
      </section>
      <p class="event-steps">
        <button type="button" class="link" onClick={() => step(id, -1)}>
          Earlier event <kbd>k</kbd>
        </button>
        <button type="button" class="link" onClick={() => step(id, 1)}>
          Later event <kbd>j</kbd>
        </button>
      </p>
    </>
  );
}

/** Selects the event before or after one; the last or first if none is selected. */
export function step(from: string | undefined, by: 1 | -1): void {
  const ids = [
    ...new Set(frames.value.map((frame) => (frame.kind === 'end' ? '' : (frame.eventId ?? '')))),
  ].filter((id) => id !== '');
  const index = from === undefined ? -1 : ids.indexOf(from);
  const next = from === undefined ? ids.at(by === 1 ? 0 : -1) : ids[index + by];
  if (next !== undefined) select(next);
}

function CallDetail({ id }: { readonly id: string }) {
  const item = thread.value.find((one) => one.kind === 'call' && one.call.id === id);
  if (item?.kind !== 'call') return null;
  const { call, result, startedAt, endedAt, author, answer } = item;
  const tool = findTool(call.tool, author);
  return (
    <section>
      <div class="section-head">
        <h3 class="mono">{call.tool}</h3>
        <Effect tool={tool} />
      </div>
      {tool !== undefined && tool.description !== '' && <p class="muted">{tool.description}</p>}
      <p class="event-facts">
        {item.status}
        {endedAt !== undefined && `, ${durationText(endedAt - startedAt)}`}
      </p>
      <h4>Arguments</h4>
      <JsonView value={call.args} depth={2} />
      {answer !== undefined && (
        <>
          <h4>Answer of a person</h4>
          <JsonView value={answer.response} depth={1} />
        </>
      )}
      {result !== undefined && (
        <>
          <h4>Result</h4>
          <JsonView value={result.response} depth={2} />
        </>
      )}
    </section>
  );
}

function Usage({ event }: { readonly event: EventJson }) {
  const usage = event['usageMetadata'] as Readonly<Record<string, unknown>> | undefined;
  const counts = Object.entries(usage ?? {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  if (counts.length === 0) return null;
  return (
    <section>
      <h3>Tokens</h3>
      <dl class="pairs">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name.replace(/TokenCount$/, '')}</dt>
            <dd>{countText(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Changes({ event }: { readonly event: EventJson | undefined }) {
  const delta = event?.actions['stateDelta'] as Readonly<Record<string, unknown>> | undefined;
  if (!delta || Object.keys(delta).length === 0) return null;
  return (
    <section>
      <h3>Changed state</h3>
      <JsonView value={delta} depth={1} />
    </section>
  );
}

async function copy(value: unknown): Promise<void> {
  await navigator.clipboard.writeText(JSON.stringify(value, null, 2));
  announcement.value = 'Copied.';
}
