import { says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Briefing } from './briefing.agent.js';

it('keeps the researchers apart, and gives both findings to the merger', async () => {
  const model = new ScriptedModel(says('Fact.'), says('Rule.'), says('Both.'));
  await using runner = await createRunner(Briefing, { model });

  const { text, events } = await runner.run({ userId: 'ada', message: 'Bikes' });

  const [market, rules, merger] = model.requests.map((request) => JSON.stringify(request));
  expect([market?.includes('Rule.'), rules?.includes('Fact.')]).toEqual([false, false]);
  expect(merger).toContain('is known: \\"Fact.\\" \\"Rule.\\"');
  expect(new Set(events.map(({ branch }) => branch)).size).toBe(3);
  expect(text).toBe('Both.');
});

it('goes on with one finding where the other researcher fails', async () => {
  const fails = { errorCode: 'SAFETY', errorMessage: 'Blocked.' };
  const model = new ScriptedModel(fails, says('Rule.'), says('Only the rule.'));
  await using runner = await createRunner(Briefing, { model });

  expect(await runner.ask('Bikes')).toBe('Only the rule.');
});
