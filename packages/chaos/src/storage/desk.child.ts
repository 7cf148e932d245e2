import { agent, createRunner, defineTool, LlmAgent } from '@adorn/core';
import { sqlStorage } from '@adorn/storage';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

/** `desk.child.js URL ask|greet|approve|recall`: one step of a conversation, each in a process of its own. */
const [url = '', step = ''] = process.argv.slice(2);
const ADDRESS = { userId: 'ada', sessionId: 'desk' };

const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  parameters: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] },
  confirm: true,
  run: ({ cents }) => ({ refunded: cents }),
});

class Desk extends LlmAgent {}
agent({ name: 'desk', description: 'Refunds.', tools: [refund] })(Desk);

const SCRIPTS: Readonly<Record<string, readonly ScriptedStep[]>> = {
  greet: [says('Good morning.')],
  ask: [callsTool('refund', { cents: 500 })],
  approve: [says('Refunded.')],
  recall: [says('It was refunded.')],
};

const model = new ScriptedModel(...(SCRIPTS[step] ?? []));
const runner = await createRunner(Desk, { modules: [sqlStorage(url)], model });
const [request] = await runner.pending(ADDRESS);
const run =
  step === 'approve' && request
    ? runner.approve(request, { by: 'eve' })
    : runner.run({ ...ADDRESS, message: step, stateDelta: { [step]: true } });
await eventsOf(run);
const session = await runner.sessions.getSession({ appName: 'desk', ...ADDRESS });
console.log(
  JSON.stringify({
    said: session?.events.map(({ text, functionResponses }) => functionResponses.at(0)?.response ?? text),
    pending: (await runner.pending(ADDRESS)).length,
    state: Object.keys(session?.state ?? {}).sort(),
  }),
);
await runner.close();
