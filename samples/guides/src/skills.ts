import { bubblewrap } from '@adorn/sandbox';
import { skills } from '@adorn/skills';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

const model = new ScriptedModel(
  callsTool('load_skill', { skill: 'expense-report' }),
  callsTool('load_skill_resource', { skill: 'expense-report', path: 'references/limits.md' }),
  callsTool('run_skill_script', {
    skill: 'expense-report',
    script: 'scripts/total.sh',
    args: ['1250', '3999'],
  }),
  says('52.49, all within the limits.'),
);

const folder = new URL('../skills', import.meta.url);

@agent({ model, tools: [skills(folder, { executor: bubblewrap(), effect: 'read', confirm: false })] })
class Clerk extends LlmAgent {}

await using runner = await createRunner(Clerk);
const run = runner.run({
  userId: 'ada',
  sessionId: 's1',
  message: 'Two receipts: lunch 12.50, dinner 39.99.',
});
for await (const event of run) {
  for (const { name, response } of event.functionResponses) console.log(name, response);
  if (event.text !== '') console.log(event.text);
}
