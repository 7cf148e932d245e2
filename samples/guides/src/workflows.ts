import { says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  type AgentResult,
  type CallbackContext,
  createRunner,
  defineAgent,
  LlmAgent,
  LoopAgent,
  workflow,
} from 'adorn';

const reporter = (name: string) =>
  defineAgent({ name, instruction: `Tell the ${name} of the place in one sentence.`, outputKey: name });
const News = reporter('news');
const Weather = reporter('weather');

/** Writes the bulletin. */
@agent({
  instruction: 'Write a bulletin from "{news}" and "{weather}". Respect these remarks: {remarks?}',
  outputKey: 'bulletin',
})
class Writer extends LlmAgent {}

/** Reviews the bulletin. */
@agent({ instruction: 'Answer "good", or say what to change: {bulletin}', outputKey: 'remarks' })
class Critic extends LlmAgent {}

/** Lets the writer write and the critic review, until the critic is content, three times at most. */
@agent({ subAgents: [Writer, Critic], maxIterations: 3 })
class Editing extends LoopAgent {
  /** Forgets what was said of an earlier bulletin: the state outlives a message. */
  override beforeAgent({ state }: CallbackContext): undefined {
    state.delete('remarks');
  }

  override until({ text }: AgentResult): boolean {
    return text === 'good';
  }
}

const Bulletin = workflow.sequence(workflow.parallel(News, Weather), Editing, { name: 'bulletin' });

const model = new ScriptedModel(
  says('The harbour is closed.'),
  says('It rains.'),
  says('Rain.'),
  says('Say more.'),
  says('The harbour is closed, and it rains.'),
  says('good'),
);
await using runner = await createRunner(Bulletin, { model });
for await (const { nodeInfo, text } of runner.run({ userId: 'ada', message: 'Oslo' })) {
  if (text !== '') console.log(`${nodeInfo?.path ?? ''}: ${text}`);
}
