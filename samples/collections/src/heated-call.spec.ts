import { crossedAbove, LiveAgent, type LiveContext, phase, watch } from '@adorn/live';
import {
  callsLive,
  pcm,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilState,
  untilText,
} from '@adorn/testing';
import { agent, createRunner, type LiveInput, tool, type ToolContext } from 'adorn';

import { loudnessOf } from './loudness.js';

interface Caller {
  name?: string;
  mood?: number;
}

class Ears {
  /** Note who is calling. @param name The name. */
  @tool
  noteName(name: string, { state }: ToolContext): string {
    state.set('name', name);
    return 'noted';
  }

  /** Tell how loud the caller speaks, from 0 to 1, while they speak. */
  @tool
  async *listen(input: LiveInput, { state }: ToolContext): AsyncGenerator<number, void, undefined> {
    for await (const chunk of input.audio) {
      const loud = loudnessOf(chunk);
      state.set('mood', loud);
      yield loud;
    }
  }
}

/** Takes complaints. */
@agent({ tools: [Ears], instruction: 'You take complaints. Be brief.' })
class Complaints extends LiveAgent<Caller> {
  @phase<Caller>({ first: true, tools: ['note_name'] })
  opening() {
    return 'Ask for the name.';
  }

  @phase<Caller>({ from: 'opening', when: ({ name }) => name !== undefined, tools: ['listen'] })
  hearing() {
    return 'Hear the complaint.';
  }

  @watch('mood', crossedAbove(0.8))
  tooHeated(live: LiveContext<Caller>) {
    live.prompt('Slow down.');
  }
}

it('slows down when the caller gets loud', async () => {
  const model = new ScriptedLive(
    untilText(),
    callsLive('note_name', { name: 'Ada' }, 'n1'),
    untilResponse('n1'),
    speaks('Good day, Ada.'),
    untilText(),
    callsLive('listen', {}, 'l1'),
    untilResponse('l1'),
    speaks('What has happened?'),
    untilState('mood', (mood: unknown) => Number(mood) > 0.8), // the tool has heard it
    speaks('I see.'),
    untilText(), // of the watcher
    speaks('Let us take our time.'),
  );
  await using runner = await createRunner(Complaints, { model: new ScriptedModel() });
  await using live = runner.live({ userId: 'ada', model });
  const call = model.follow(live);

  await call.toConnected();
  live.sendText('I am Ada.');
  await call.toState('phase', 'hearing');
  await call.toConnected();
  live.sendText('My lamp is broken.');
  expect((await call.toTurnEnd()).text).toBe('What has happened?');

  void live.sendAudio(pcm({ loudness: 0.4 }));
  await call.toYield('listen');
  void live.sendAudio(pcm({ loudness: 0.95 }));
  expect((await call.toTurnEnd()).text).toBe('I see.');
  expect((await call.toTurnEnd()).text).toBe('Let us take our time.');
  model.assertDone();
});
