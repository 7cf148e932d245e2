import { IconButton } from '../page/icon.js';
import { endLive, level, liveStatus, startLive, transcript } from './live-call.js';

/** The button that begins a live conversation. */
export function LiveButton() {
  if (liveStatus.value !== undefined) return null;
  return <IconButton icon="microphone" label="Talk to the agent" onClick={() => void startLive()} />;
}

const BARS = 12;

/** A live conversation: the loudness of the microphone, and what is being said. */
export function LiveBar() {
  if (liveStatus.value === undefined) return null;
  const said = transcript.value;
  const isOpen = liveStatus.value === 'open';
  return (
    <div class="live-bar" role="group" aria-label="Live conversation">
      <LevelMeter />
      <p class="live-transcript" aria-live="off">
        {said ? (
          <>
            <strong>{said.who === 'user' ? 'you' : 'agent'}</strong> {said.text}
          </>
        ) : (
          <span class="muted">{isOpen ? 'Listening' : 'Connecting…'}</span>
        )}
      </p>
      <button type="button" class="button button-danger" onClick={endLive}>
        End
      </button>
    </div>
  );
}

function LevelMeter() {
  const lit = Math.round(level.value * BARS);
  return (
    <div
      class="level"
      role="meter"
      aria-label="Microphone"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(level.value * 100)}
    >
      {Array.from({ length: BARS }, (_, index) => (
        <i key={index} class={index < lit ? 'is-lit' : ''} />
      ))}
    </div>
  );
}
