import { select } from '../page/address.js';
import { clockText } from '../page/words.js';
import { frames, state } from '../server/open-session.js';
import { JsonView } from './json-view.js';
import { type StateChange, stateChanges } from './state-history.js';

/** The state of the session, and each change of it with the event that made it. */
export function StatePanel() {
  const changes = stateChanges(frames.value);
  const keys = Object.keys(state.value);
  if (keys.length === 0 && changes.length === 0)
    return (
      <p class="empty">
        The state is empty. Tools write it with <code>context.state.set(key, value)</code>; each change is
        listed here with its event.
      </p>
    );
  return (
    <>
      <section>
        <h3>Now</h3>
        {keys.length === 0 ? (
          <p class="muted">Empty.</p>
        ) : (
          <JsonView value={state.value} depth={1} label="State" />
        )}
      </section>
      {changes.length > 0 && (
        <section>
          <h3>Changes</h3>
          <ol class="changes">
            {[...changes].reverse().map((change, index) => (
              <Change key={index} change={change} />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function Change({
  change: { key, before, after, author, timestamp, eventId },
}: {
  readonly change: StateChange;
}) {
  return (
    <li class="change">
      <button type="button" class="change-key" onClick={() => select(eventId)}>
        <code>{key}</code>
        <span class="muted">
          {author} · {clockText(timestamp)}
        </span>
      </button>
      <div class="change-values">
        {before !== undefined && <del>{shortText(before)}</del>}
        {after === undefined || after === null ? (
          <span class="muted">removed</span>
        ) : (
          <ins>{shortText(after)}</ins>
        )}
      </div>
    </li>
  );
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '');
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
