import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { bubblewrap } from '@adorn/sandbox';
import { skills } from '@adorn/skills';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { workspace } from '@adorn/workspace';
import { agent, createRunner, LlmAgent } from 'adorn';

await mkdir('trip', { recursive: true });
await writeFile('trip/receipts.csv', 'day,what,cents\n2026-05-04,lunch,1250\n2026-05-04,dinner,3999\n');

const model = new ScriptedModel(
  callsTool('read_file', { path: 'receipts.csv' }),
  callsTool('load_skill', { skill: 'expense-report' }),
  callsTool('run_skill_script', {
    skill: 'expense-report',
    script: 'scripts/total.sh',
    args: ['1250', '3999'],
  }),
  callsTool('write_file', { path: 'report.md', content: '# Report\n\n2026-05-04: meals, 52.49\n' }),
  says('The report is in report.md.'),
);

const skill = skills(new URL('../skills', import.meta.url), {
  executor: bubblewrap(),
  effect: 'read',
  confirm: false,
});

/** Keeps the papers of a traveller. */
@agent({ model, tools: [skill, workspace('./trip', { confirm: 'write' })] })
class Assistant extends LlmAgent {}

await using runner = await createRunner(Assistant);
const run = await runner.run({ userId: 'ada', sessionId: 'may', message: 'Write the expense report.' });
for (const { name } of run.events.flatMap(({ functionResponses }) => functionResponses)) console.log(name);
for (const request of run.pending) {
  console.log(request.hint);
  console.log((await runner.approve(request)).text);
}
process.stdout.write(await readFile('trip/report.md', 'utf8'));
