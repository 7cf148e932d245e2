import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  type Content,
  createRunner,
  FunctionTool,
  LlmAgent,
  type ModelRequest,
  StaticToolset,
  tool,
  toolbox,
} from '../index.js';

@toolbox({ unfold: true, description: 'Rare tools.' })
class Archive {
  @tool({ description: 'Digs in old files.', parameters: { type: 'object', properties: {} } })
  dig(): string {
    return 'dust';
  }
}

const listed = new FunctionTool({ name: 'listed', description: 'Listed.', run: () => 'ok' });

@agent({
  name: 'clerk',
  description: '',
  staticInstruction: 'You are a clerk.',
  instruction: 'The user is {name?}.',
  tools: [
    new FunctionTool({ name: 'own', description: 'Own.', run: () => 'ok' }),
    new StaticToolset([listed]),
    Archive,
  ],
})
class Clerk extends LlmAgent {}

/** Providers serve from their cache what a request shares with an earlier one from its beginning on. */
describe('the requests of a conversation', () => {
  it('begin as the ones before them: instruction, then tools, then contents', async () => {
    const model = new ScriptedModel(
      ...[callsTool('own', {}), callsTool('listed', {}), says('One.'), callsTool('open_archive', {})],
      ...[callsTool('dig', {}), says('Two.'), says('Three.')],
    );
    await using runner = await createRunner(Clerk, { model });

    for (const [message, name] of [
      ['First.', 'Ada'],
      ['Second.', 'Bo'],
      ['Third.', 'Cy'],
    ]) {
      const stateDelta = { name };
      await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: message ?? '', stateDelta }));
    }

    expect(namesOf(model.requests.at(-1) as ModelRequest)).toEqual(
      expect.arrayContaining(['own', 'listed', 'dig']),
    );
    for (const [index, request] of model.requests.entries()) {
      const earlier = model.requests[index - 1];
      if (earlier === undefined) continue;
      expect(request.config.systemInstruction).toEqual(earlier.config.systemInstruction);
      const names = namesOf(earlier);
      expect(namesOf(request).slice(0, names.length)).toEqual(names);
      const kept = withoutInstruction(earlier.contents);
      expect(request.contents.slice(0, kept.length)).toEqual(kept);
    }
  });
});

function namesOf({ config }: Pick<ModelRequest, 'config'>): (string | undefined)[] {
  return (config.tools ?? []).flatMap((entry) =>
    'functionDeclarations' in entry ? (entry.functionDeclarations ?? []).map(({ name }) => name) : [],
  );
}

/** The instruction follows the conversation, so that its changes invalidate nothing before it. */
function withoutInstruction(contents: readonly Content[]): readonly Content[] {
  expect(contents.at(-1)?.parts?.[0]?.text).toMatch(/^The user is (Ada|Bo|Cy)\.$/);
  return contents.slice(0, -1);
}
