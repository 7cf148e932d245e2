import { says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

@agent({ model: new ScriptedModel(says('Noted.')) })
class Desk extends LlmAgent {}

await using runner = await createRunner(Desk, { retention: { sessions: '90d', every: '6h' } });
const scope = { appName: runner.appName, userId: 'ada' };
await runner.ask('My harbour is Bergen.', { userId: 'ada', sessionId: 's1' });
await runner.memory.addMemory(scope, [
  { content: { role: 'user', parts: [{ text: 'My harbour is Bergen.' }] } },
]);

for (const { id } of await runner.memory.listMemories(scope, { limit: 20 }))
  await runner.memory.correctMemory(scope, id, { role: 'user', parts: [{ text: 'My harbour is Oslo.' }] });
const [found] = await runner.memory.searchMemory(scope, 'harbour');
console.log(found?.content.parts?.[0]?.text);

const report = await runner.applyRetention({ sessions: '90d', artifacts: '365d', memories: '365d' });
console.log(report);

const { erased, notErased } = await runner.forget('ada');
console.log(erased, notErased);
