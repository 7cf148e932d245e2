import { callsTool, says, ScriptedModel } from '@adorn/testing';

import {
  createRunner,
  defineAgent,
  FunctionTool,
  loadArtifacts,
  preloadMemory,
  type Runner,
  tool,
  toolbox,
} from '../index.js';
import type { CacheExplanation } from './explain-cache.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const RULES = 'Be exact, be short, be kind. '.repeat(40);

const note = new FunctionTool({
  name: 'note',
  description: 'Notes a number.',
  run: async (_args, context) => {
    context.state.set('n', Number(context.state.get('n') ?? 0) + 1);
    return context.saveArtifact(`note${String(context.state.get('n'))}`, { text: 'x' });
  },
});

/** A conversation of two turns, and what the next message would send. */
async function compared(agent: object, script = [callsTool('note'), says('Noted.'), says('Yes.')]) {
  const clerk = defineAgent({ name: 'clerk', instruction: RULES, tools: [note], ...agent });
  const runner = await createRunner(clerk, { model: new ScriptedModel(...script, says('Yes.')) });
  for (const message of ['Note it.', 'Well?']) await runner.ask(message, ADDRESS);
  return { runner, ...(await runner.explainCache({ ...ADDRESS, message: 'And now?' })) };
}

function sharedOf({ parts }: Pick<CacheExplanation, 'parts'>): number {
  return parts.reduce((sum, { shared }) => sum + shared, 0);
}

async function contentsOf(runner: Runner): Promise<number> {
  const session = await runner.sessions.getSession({ appName: 'clerk', ...ADDRESS });
  return session?.events.length ?? 0;
}

describe('what two requests begin with', () => {
  it('is all of the earlier one where nothing changes, and nothing is stored', async () => {
    const { runner, parts, difference, before, after } = await compared({});

    expect(difference).toBeUndefined();
    expect(before.contents).toEqual(after.contents.slice(0, before.contents.length));
    expect(parts.map(({ part }) => part)).toEqual(['tools', 'instruction', 'conversation']);
    for (const one of parts) expect(one.shared).toBe(one.before);
    const stored = await contentsOf(runner);
    await runner.explainCache({ ...ADDRESS, message: 'And now?' });
    expect(await contentsOf(runner)).toBe(stored);
  });

  it('ends at a placeholder whose value has changed, with the state as it was then', async () => {
    const { parts, difference } = await compared({ instruction: `${RULES}There are {n?} notes. ${RULES}` }, [
      says('Hello.'),
      callsTool('note'),
      says('Noted.'),
    ]);

    expect(difference).toMatchObject({ part: 'instruction', cause: 'it is filled from {n?}' });
    expect(difference?.before).toContain('There are  notes');
    expect(difference?.after).toContain('There are 1 notes');
    expect(parts[2]?.shared).toBe(0);
  });

  it('ends at the text of a function that has changed', async () => {
    let time = 0;
    const { difference } = await compared({ instruction: () => `${RULES} It is ${String(time++)}.` });

    expect(difference).toMatchObject({ part: 'instruction', cause: 'it is filled from a function' });
  });

  it('is all of the instruction where the changing text follows the conversation', async () => {
    let time = 0;
    const compare = await compared({
      staticInstruction: RULES,
      instruction: () => `It is ${String(time++)}.`,
    });

    expect(compare.difference).toBeUndefined();
    expect(sharedOf(compare)).toBeGreaterThan(0.8 * compare.parts.reduce((sum, one) => sum + one.before, 0));
  });

  it('is nothing once a toolbox was opened', async () => {
    class Rare {
      dig(): string {
        return 'dust';
      }
    }
    const declared = Object.getOwnPropertyDescriptor(Rare.prototype, 'dig') as PropertyDescriptor;
    tool({ description: 'Digs.', parameters: { type: 'object', properties: {} } })(
      Rare.prototype,
      'dig',
      declared,
    );
    toolbox({ unfold: true, description: 'Rare tools.' })(Rare);

    const { parts, difference } = await compared({ tools: [note, Rare] }, [
      says('Hello.'),
      callsTool('open_rare'),
      says('Open.'),
    ]);

    expect(difference).toMatchObject({
      part: 'tools',
      cause: 'tools were added, such as by a toolbox that was opened: dig',
    });
    expect(parts[1]?.shared).toBe(0);
  });

  it('is not ended by the names of files, which follow the conversation', async () => {
    const { difference } = await compared({ tools: [note, loadArtifacts()] });

    expect(difference).toBeUndefined();
  });

  it('ends at memories, which were added for one turn', async () => {
    const clerk = defineAgent({ name: 'clerk', instruction: RULES, tools: [preloadMemory()] });
    const runner = await createRunner(clerk, { model: new ScriptedModel(says('Yes.'), says('Yes.')) });
    const entry = { content: { role: 'user', parts: [{ text: 'Tea is green.' }] } };
    await runner.memory.addMemory({ appName: 'clerk', userId: 'ada' }, [entry]);
    await runner.ask('Hello.', ADDRESS);
    await runner.ask('What about tea?', ADDRESS);

    const { difference } = await runner.explainCache({ ...ADDRESS, message: 'And now?' });

    expect(difference).toMatchObject({
      part: 'conversation',
      cause: 'it was added for that turn only, such as preloaded memories',
    });
  });

  it('is nothing where another agent answers', async () => {
    const other = defineAgent({ name: 'other', description: 'Other.', instruction: RULES });
    const { difference } = await compared({ subAgents: [other] }, [
      says('Hello.'),
      callsTool('transfer_to_agent', { agent_name: 'other' }),
      says('It is me.'),
    ]);

    expect(difference?.cause).toContain('the agent clerk/other answers, and before it clerk');
  });

  it('is shown of a new conversation with the message after it', async () => {
    const clerk = defineAgent({ name: 'clerk', instruction: RULES, tools: [note] });
    const runner = await createRunner(clerk, { model: new ScriptedModel() });

    const { before, after, difference } = await runner.explainCache({ message: 'Hello.' });

    expect(difference).toBeUndefined();
    expect([before.contents.length, after.contents.length]).toEqual([1, 3]);
  });
});
