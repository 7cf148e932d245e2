import { says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  ContextFilterPlugin,
  createRunner,
  GlobalInstructionPlugin,
  joinText,
  LlmAgent,
  SaveFilesAsArtifactsPlugin,
} from 'adorn';

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', instruction: 'Help with orders.' })
class Desk extends LlmAgent {}

const model = new ScriptedModel(says('It is a receipt.'), says('Yes.'), says('You are welcome.'));
await using runner = await createRunner(Desk, {
  model,
  plugins: [
    new SaveFilesAsArtifactsPlugin(),
    new ContextFilterPlugin({ turns: 2 }),
    new GlobalInstructionPlugin(({ userId }) => `You talk to ${userId}. Be brief.`),
  ],
});

const conversation = { userId: 'ada', sessionId: 's1' };
const data = Buffer.from('%PDF-1.7').toString('base64');
const receipt = { inlineData: { mimeType: 'application/pdf', data, displayName: 'receipt.pdf' } };
await runner.run({ ...conversation, message: [{ text: 'What is this?' }, receipt] });
await runner.ask('Is it paid?', conversation);
await runner.ask('Thanks.', conversation);

const [first, , last] = model.requests;
console.log(first?.contents[0]?.parts?.map(({ text }) => text));
console.log(last?.contents.map((content) => joinText(content)));
const { systemInstruction } = last?.config ?? {};
console.log(typeof systemInstruction === 'string' && systemInstruction.split('\n')[0]);
console.log(await runner.artifacts.list({ appName: runner.appName, ...conversation }));
