import { becameTrue, LiveAgent, phase, watch } from '@adorn/live';
import { agent, type LiveInput, LlmAgent, tool, type ToolContext } from 'adorn';
import { callsLive, speaks, untilResponse, untilText } from '@adorn/testing';
import { expect } from 'expect';

import type { Example } from './example.js';
import { LiveCall, turnWith } from './live-call.js';
import { declaredLive } from './model-reads.js';

// example: StreamingTool
class ProgressTracker {
  /** Track a long-running operation. */
  @tool({ tell: 'each' })
  async *trackProgress() {
    for (let step = 0; step < 5; step++) yield await Promise.resolve({ step });
  }
}
// end of example

// example: InputStreamingTool
class Listener {
  /** Listen to how loud the caller is. */
  @tool({ tell: 'each' })
  async *listen(input: LiveInput, { state }: ToolContext) {
    for await (const { byteLength } of input.audio) {
      state.set('is_loud', byteLength > 1_000);
      yield { bytes: byteLength };
    }
  }
}
// end of example

@agent({ name: 'desk', tools: [ProgressTracker] })
class TrackingDesk extends LlmAgent {}

@agent({ name: 'desk', tools: [Listener] })
class ListeningDesk extends LiveAgent {
  readonly seen: string[] = [];

  @phase({ first: true })
  listening() {
    return 'Listen.';
  }

  @watch('is_loud', becameTrue())
  isLoud() {
    this.seen.push('loud');
  }
}

const STEPS = [0, 1, 2, 3, 4].map((step) => ({ step }));

export const streamingTool: Example = {
  name: 'StreamingTool',
  there: 16,
  async play(promise) {
    await using call = await LiveCall.with(TrackingDesk, turnWith(['track_progress', 't1']));
    await call.talk();

    promise('the tool is declared without parameters', () => {
      expect(declaredLive(call.model)).toMatchObject([
        { name: 'track_progress', description: 'Track a long-running operation.' },
      ]);
    });
    promise('the application gets each result as it comes, and none of them is stored', () => {
      const pieces = call.events.filter(({ partial }) => partial);
      expect(
        pieces.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response)),
      ).toEqual(STEPS);
    });
    promise('the model is told each result as it comes, before the response of the call', () => {
      const sent = JSON.stringify(call.model.connection.sent);
      const places = STEPS.map(({ step }) => sent.indexOf(`\\"step\\":${String(step)}`));
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expect(places.at(-1)).toBeLessThan(sent.indexOf('"kind":"response"'));
    });
    promise('the call ends with one response that has them all', () => {
      expect(call.told['t1']).toEqual([{ result: STEPS }]);
    });
  },
};

export const inputStreamingTool: Example = {
  name: 'InputStreamingTool',
  there: 10,
  async play(promise) {
    await using call = await LiveCall.with(ListeningDesk, [
      ...[untilText(), callsLive('listen', {}, 'h1'), untilResponse('h1'), speaks('I listen.')],
      ...[untilText(), speaks('I hear you.')],
      ...[untilText(), speaks('Still here.')],
      ...[untilText(), callsLive('stop_streaming', { function_name: 'listen' }, 's1'), untilResponse('s1')],
      speaks('I do not listen any more.'),
    ]);
    await call.talk();
    await call.session.sendAudio(new Uint8Array(2_000));
    await call.until(({ functionResponses, partial }) => partial && functionResponses.length > 0);
    await call.talk();
    await call.talk(); // watchers are called behind the end of a turn
    const { seen } = call.runner.root.definition as ListeningDesk;
    const [seenWhileItListens, toldWhileItListens] = [[...seen], [...(call.told['h1'] ?? [])]];
    const stateWhileItListens = await call.state;
    await call.talk();
    await call.hangUp();

    promise('the tool is declared without its input, and with the tool that ends it', () => {
      expect(declaredLive(call.model).map(({ name }) => name)).toEqual(['listen', 'stop_streaming']);
      expect(JSON.stringify(declaredLive(call.model)[0])).not.toContain('input');
    });
    promise('what the user sends reaches the tool while it runs, and its results reach the model', () => {
      expect(toldWhileItListens).toContainEqual({ bytes: 2_000 });
    });
    promise('what it writes is in the state and calls watchers before it has ended', () => {
      expect(stateWhileItListens).toMatchObject({ is_loud: true });
      expect(seenWhileItListens).toEqual(['loud']);
    });
    promise('the model ends it', () => {
      expect(call.told['s1']).toHaveLength(1);
      expect(call.told['h1']?.at(-1)).toEqual({ result: [{ bytes: 2_000 }] });
    });
  },
};
