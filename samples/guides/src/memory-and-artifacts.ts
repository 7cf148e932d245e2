import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, joinText, LlmAgent, preloadMemory, tool, type ToolContext } from 'adorn';

class Letters {
  /**
   * Write a letter, as a file of the conversation.
   * @param recipient Who receives it.
   * @param text The letter.
   */
  @tool({ effect: 'write' })
  async writeLetter(
    recipient: string,
    text: string,
    context: ToolContext,
  ): Promise<{ file: string; version: number }> {
    const file = `letter-${recipient.toLowerCase()}.txt`;
    return { file, version: await context.saveArtifact(file, { text }) };
  }
}

/** Writes letters. */
@agent({ model: 'gemini-2.5-flash', tools: [Letters, preloadMemory()] })
class Secretary extends LlmAgent {}

const model = new ScriptedModel(
  says('I will keep that in mind.'),
  callsTool('write_letter', { recipient: 'Grace', text: 'Kjære Grace, vi sees i mai.' }),
  says('The letter is written.'),
);
await using runner = await createRunner(Secretary, { model });

const monday = await runner.run({ userId: 'ada', message: 'Letters to Grace are in Norwegian.' });
const session = await runner.sessions.getSession(monday);
if (session !== undefined) await runner.memory.addSessionToMemory(session);

const friday = await runner.run({ userId: 'ada', message: 'Write to Grace that we meet in May.' });
console.log('The model reads:', joinText(model.requests[1]?.contents[0]));

for (const file of await runner.artifacts.list(friday)) {
  console.log(file, await runner.artifacts.load(friday, file));
}
