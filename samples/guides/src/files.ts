import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { workspace } from '@adorn/workspace';
import { agent, createRunner, LlmAgent } from 'adorn';

await mkdir('cafe', { recursive: true });
await writeFile('cafe/menu.md', '# Menu\n\n- Tea: 3.00\n- Cake: 4.50\n- Soup: 6.00\n');

const model = new ScriptedModel(
  callsTool('grep', { pattern: 'cake', ignoreCase: true }),
  callsTool('read_file', { path: 'menu.md' }),
  callsTool('edit_file', { path: 'menu.md', oldText: '- Cake: 4.50', newText: '- Cake: 4.90' }),
  says('The cake is 4.90 now.'),
);

/** Keeps the files of a café. */
@agent({ model, tools: [workspace('./cafe', { confirm: 'write' })] })
class Keeper extends LlmAgent {}

await using runner = await createRunner(Keeper);
const ada = { userId: 'ada', sessionId: 'monday' };

const { invocationId, pending } = await runner.run({ ...ada, message: 'The cake is 4.90 from today on.' });
for (const request of pending) {
  console.log(request.hint);
  console.log((await runner.approve(request, { by: 'ada' })).text);
}
process.stdout.write(await readFile('cafe/menu.md', 'utf8'));

const { undo } = await runner.undo({ ...ada, invocationId, by: 'ada' });
const [undone] = undo?.calls ?? [];
console.log(undone?.tool, undone?.outcome);
process.stdout.write(await readFile('cafe/menu.md', 'utf8'));
