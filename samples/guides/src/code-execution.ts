import { quickJs } from '@adorn/sandbox';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, runCode } from 'adorn';

// Stands for a model that writes code: the first program has a fault, which the model corrects.
const model = new ScriptedModel(
  callsTool('run_code', {
    code: 'const days = (a, b) => (Date.parse(b) - Date.parse(a)) / 864e5;\nday("2026-01-01")',
  }),
  callsTool('run_code', { code: '(Date.parse("2026-11-25") - Date.parse("2026-01-01")) / 864e5' }),
  says('It is day 329 of the year.'),
);

const sandbox = quickJs({ timeout: 2_000 });

/** Answers questions about dates and numbers. */
@agent({ model, tools: [runCode(sandbox, { effect: 'read' })] })
class Calculator extends LlmAgent {}

await using runner = await createRunner(Calculator);
for await (const event of runner.run({ userId: 'ada', message: 'Which day of the year is today?' })) {
  for (const { response } of event.functionResponses) console.log(response);
  if (event.isFinalResponse) console.log(event.text);
}
await sandbox.close();
