import { callsTool, callsTools, says, ScriptedModel } from '@adorn/testing';
import { jsonSchema, tool } from '@ai-sdk/provider-utils';
import { agent, createRunner, LlmAgent } from 'adorn';

const inputSchema = jsonSchema<{ city: string }>({
  type: 'object',
  properties: { city: { type: 'string', description: 'City, such as "Rome".' } },
  required: ['city'],
});

const get_weather = tool({
  description: 'Current weather of a city.',
  inputSchema,
  execute: ({ city }) => ({ city, rain: true }),
});

const book_taxi = tool({
  description: 'Books a taxi.',
  inputSchema,
  needsApproval: true,
  execute: ({ city }) => ({ booked: city }),
});

/** Helps travellers. */
@agent({ model: 'gemini-2.5-flash', tools: [{ get_weather, book_taxi }] })
class Concierge extends LlmAgent {}

const model = new ScriptedModel(
  callsTools(
    { name: 'get_weather', args: { town: 'Rome' } },
    { name: 'get_weather', args: { city: 'Rome' } },
  ),
  callsTool('book_taxi', { city: 'Rome' }),
  says('It rains. The taxi is booked.'),
);
await using runner = await createRunner(Concierge, { model });

const asked = await runner.run({ userId: 'ada', message: 'Do I need a taxi in Rome?' });
for (const event of asked.events) {
  for (const { name, response } of event.functionResponses) console.log(name, response);
}
for (const request of asked.pending) {
  console.log(`${request.hint ?? ''} yes`);
  for await (const event of runner.approve(request, { by: 'ada' }))
    if (event.text !== '') console.log(event.text);
}
