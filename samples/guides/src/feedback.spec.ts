import { dislikedCases, formatEvalSet, scoreSession, userFeedback } from '@adorn/eval';
import { says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';
import { feedbackOf } from 'adorn/backend';

@agent({ model: 'gemini-2.5-flash', instruction: 'Answer questions about orders.' })
class Desk extends LlmAgent {}

it('keeps what users think of the answers, and makes cases of what they disliked', async () => {
  const model = new ScriptedModel(says('It has not shipped.'));
  await using runner = await createRunner(Desk, { model });
  const address = { userId: 'ada', sessionId: 's1' };
  const { invocationId } = await runner.run({ ...address, message: 'Where is my order?' });

  await runner.feedback({ ...address, invocationId, score: 0, label: 'wrong', comment: 'It has shipped.' });
  // A reviewer may differ.
  await runner.feedback({ ...address, invocationId, score: 0.5, by: { id: 'mia', roles: ['reviewer'] } });

  const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
  expect(session && feedbackOf(session).map(({ by, score }) => [by.id, score])).toEqual([
    ['ada', 0],
    ['mia', 0.5],
  ]);

  // Scored like an evaluation …
  const scored = await scoreSession(runner, address, { metrics: [userFeedback({ threshold: 0.7 })] });
  expect(scored.finalEvalStatus).toBe('failed');

  // … and an eval set, for the next version: await writeFile('evals/disliked.evalset.json', text).
  const evalCases = session ? dislikedCases(session) : [];
  const text = formatEvalSet({ evalSetId: 'disliked', evalCases });
  expect(text).toContain('It has shipped.');
});
