import { useState } from 'preact/hooks';

import { app, sessionId } from '../page/address.js';
import { type Fault, faultOf, jsonBody, optionalJson, routeOf } from '../server/connection.js';
import { JsonView } from './json-view.js';

/** The request that a model would get now. No model is called. */
interface ExplainedRequest {
  readonly agent: string;
  readonly model: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly contents: readonly unknown[];
}

/** The exact request that the next message would send to the model. */
export function ExplainPanel() {
  const [message, setMessage] = useState('');
  const [explained, setExplained] = useState<ExplainedRequest | undefined>(undefined);
  const [failed, setFailed] = useState<Fault | undefined>(undefined);
  if (sessionId.value === undefined) return null;
  const explain = async () => {
    try {
      const path = `/sessions/${encodeURIComponent(sessionId.value ?? '')}/explain`;
      setExplained(await optionalJson(routeOf(app.value ?? '', path), jsonBody({ message })));
      setFailed(undefined);
    } catch (error) {
      setFailed(faultOf(error));
    }
  };
  return (
    <section class="explain">
      <h3>What a message would send</h3>
      <form
        class="explain-form"
        onSubmit={(event) => {
          event.preventDefault();
          void explain();
        }}
      >
        <input
          aria-label="Message to explain"
          placeholder="A message"
          value={message}
          onInput={({ currentTarget }) => setMessage(currentTarget.value)}
        />
        <button type="submit" class="button">
          Explain
        </button>
      </form>
      {failed !== undefined && <p class="call-error">{failed.message}</p>}
      {explained !== undefined && (
        <>
          <p class="event-facts">
            {explained.agent} to {explained.model}. No model was called.
          </p>
          <h4>Config</h4>
          <JsonView value={explained.config} depth={1} />
          <h4>Contents</h4>
          <JsonView value={explained.contents} depth={1} />
        </>
      )}
    </section>
  );
}
