import { pyodide } from '@adorn/sandbox';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, runCode } from 'adorn';

// Stands for a model that writes Python.
const model = new ScriptedModel(
  callsTool('run_code', {
    code: 'import statistics\nsales = [120, 80, 310]\nopen("mean.txt", "w").write(str(statistics.mean(sales)))\nstatistics.mean(sales)',
  }),
  callsTool('run_code', { code: 'round(statistics.stdev(sales), 1)' }),
  says('170 on average, with a deviation of 122.9.'),
);

const sandbox = pyodide({ stateful: true, timeout: 10_000 });

/** Calculates with Python. */
@agent({ model, tools: [runCode(sandbox)] })
class Analyst extends LlmAgent {}

await using runner = await createRunner(Analyst);
for await (const event of runner.run({ userId: 'ada', sessionId: 's1', message: 'Mean and deviation?' })) {
  for (const { response } of event.functionResponses) console.log(response);
  if (event.isFinalResponse) console.log(event.text);
}
await sandbox.close();
