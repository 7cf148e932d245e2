import {
  callsLive,
  endsTurn,
  hears,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
} from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

class Opening {
  /** When the library closes. @param day Day of the week. */
  @tool({ effect: 'read' })
  closes(day: string): string {
    return day === 'Sunday' ? 'It is closed.' : 'At six.';
  }
}

/** Answers the telephone of a library. */
@agent({ tools: [Opening] })
class Telephone extends LlmAgent {}

it('answers by speech, with what a tool has said', async () => {
  const model = new ScriptedLive([
    hears('When do you close on Monday?'),
    callsLive('closes', { day: 'Monday' }),
    untilResponse(),
    speaks('We close at six.'),
    endsTurn(),
  ]);
  await using runner = await createRunner(Telephone, { model: new ScriptedModel() });
  await using live = runner.live({ userId: 'ada', model });

  const said: string[] = [];
  for await (const { author, text, partial, functionResponses, turnComplete } of live) {
    if (text !== '' && !partial) said.push(`${author}: ${text}`);
    for (const { response } of functionResponses) said.push(`tool: ${String(response?.['result'])}`);
    if (turnComplete && said.length > 2) break;
  }

  expect(said).toEqual([
    'user: When do you close on Monday?',
    'tool: At six.',
    'telephone: We close at six.',
  ]);
  await expectPicture('09-speech', await sceneOf(runner));
});
