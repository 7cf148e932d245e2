import { says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

interface Report {
  title: string;
  hours: number;
}

/** Reports on the work of a day. */
@agent({
  instruction: 'Report on the work that the user describes.',
  outputSchema: {
    type: 'object',
    properties: { title: { type: 'string' }, hours: { type: 'number', minimum: 0 } },
    required: ['title', 'hours'],
  },
})
class Reporter extends LlmAgent<Report> {}

// The first answer does not fit: the model is told why, and answers once more.
const model = new ScriptedModel(
  says('The harbour was closed for 7.5 hours.'),
  says('{"title":"Harbour closed","hours":7.5}'),
);

await using runner = await createRunner(Reporter, { model });
const { title, hours } = await runner.ask('The harbour was closed from eight to half past three.', {
  userId: 'ada',
});
console.log(`${title}: ${String(hours)} hours`);
