import { says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Orders {
  /**
   * Find an order.
   * @param id Its number, such as "A-17".
   */
  @tool({ effect: 'read' })
  findOrder(id: string): string {
    return `${id} is on its way.`;
  }
}

/** Desk of a shop. */
@agent({ model: 'gemini-2.5-flash', instruction: 'The customer is {name?}.', tools: [Orders] })
export class Desk extends LlmAgent {}

const model = new ScriptedModel(says('Hello, Ada.'));
await using runner = await createRunner(Desk, { model });
const address = { userId: 'ada', sessionId: 's1' };
await runner.run({ ...address, message: 'Hello.', stateDelta: { name: 'Ada' } });

const { agent: path, config, contents } = await runner.explain({ ...address, message: 'Where is A-17?' });

console.log(path, JSON.stringify(config.systemInstruction));
for (const { role, parts } of contents) console.log(role, parts);
console.log(JSON.stringify(config.tools).length, 'bytes of tools');
