import { says, ScriptedModel } from '@adorn/testing';
import { ContainerModule, createRunner, type Runner } from 'adorn';

import { OfficeHours, Triage } from './triage.agent.js';

it.each([
  [9, 'urgent', 'clerk'],
  [2, 'normal', 'clerk'],
  [2, 'urgent', 'triage'],
])('at %i o’clock, a message that is %s is answered by the %s', async (hour, urgency, author) => {
  await using runner = await open(hour, urgency);

  const { events } = await runner.run({ userId: 'ada', message: 'Help.' });

  expect(events.filter(({ text }) => text !== '').at(-1)?.author).toBe(author);
});

function open(hour: number, urgency: string): Promise<Runner> {
  const office = new ContainerModule(({ bind }) => {
    bind(OfficeHours).toConstantValue(new OfficeHours(() => hour));
  });
  const model = new ScriptedModel(says(urgency), says('We are coming.'));
  return createRunner(Triage, { model, modules: [office] });
}
