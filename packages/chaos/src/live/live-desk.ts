import { agent, type AgentClass, defineAgent, FunctionTool, type ToolContext } from 'adorn';
import { LiveAgent, phase } from '@adorn/live';

/** What the tools of a conversation tell whoever watches it. */
export interface Watcher {
  /** A tool has begun a call. */
  readonly began: (tool: string, key: string) => void;
  /** Resolves when a slow tool is to end. */
  readonly hold: () => Promise<void>;
}

/** A tool that listens until it is stopped, as the compiler makes one of a method with a parameter of type `LiveInput`. */
class ListeningTool extends FunctionTool {
  override get takesLiveInput(): boolean {
    return true;
  }
}

/** An agent with two phases, an expert to whom it hands over, and tools of all kinds. */
export function deskOf(watcher: Watcher): AgentClass {
  const tools = toolsOf(watcher);
  const Expert = defineAgent({ name: 'expert', description: 'Knows.', tools });

  @agent({ name: 'desk', description: 'Asks.', tools, subAgents: [Expert] })
  class Desk extends LiveAgent<{ step?: number }> {
    override greeting = 'Say hello.';

    @phase<{ step?: number }>({ first: true, from: 'later', when: ({ step = 0 }) => step % 2 === 0 })
    begin(): string {
      return 'Begin.';
    }

    @phase<{ step?: number }>({
      from: 'begin',
      when: ({ step = 0 }) => step % 2 === 1,
      tools: ['quick', 'advance', 'listen'],
    })
    later(): string {
      return 'Go on.';
    }
  }
  return Desk;
}

function toolsOf({ began, hold }: Watcher): FunctionTool[] {
  const parameters = { type: 'object', properties: { key: { type: 'string' } } } as const;
  const shape = { description: 'Does it.', parameters };
  const quick = ({ key = '' }: { key?: string }): string => {
    began('quick', key);
    return 'done';
  };
  const slow = async ({ key = '' }: { key?: string }): Promise<string> => {
    began('slow', key);
    await hold();
    return 'done';
  };
  const advance = (_args: unknown, { state }: ToolContext): string => {
    state.set('step', Number(state.get('step') ?? 0) + 1);
    return 'done';
  };
  const broken = (): never => {
    throw new Error('It is broken.');
  };
  const listen = async function* (
    _args: unknown,
    { liveInput }: ToolContext,
  ): AsyncGenerator<{ bytes: number }> {
    for await (const chunk of liveInput.audio) yield { bytes: chunk.byteLength };
  };
  return [
    new FunctionTool({ ...shape, name: 'quick', run: quick }),
    new FunctionTool({ ...shape, name: 'slow', run: slow }),
    new FunctionTool({ ...shape, name: 'beside', background: true, run: slow }),
    new FunctionTool({ ...shape, name: 'look', effect: 'read', run: () => hold() }),
    new FunctionTool({ ...shape, name: 'advance', idempotent: true, run: advance }),
    new FunctionTool({ ...shape, name: 'broken', run: broken }),
    new ListeningTool({ ...shape, name: 'listen', run: listen }),
  ];
}
