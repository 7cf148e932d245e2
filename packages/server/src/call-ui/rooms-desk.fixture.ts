import { createRunner, defineAgent, FunctionTool, type Runner, StaticToolset } from '@adorn/core';
import type { ToolUi } from '@adorn/core/backend';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

/** The page of the rooms. */
export const VIEW = 'ui://rooms/view.html';
export const HTML = '<!doctype html><script>parent.postMessage(1, "*")</script>';

/** The tools that have run, with their arguments. */
export const ran: unknown[] = [];

const SERVER = {};

/** A tool of a server with a page. */
class RoomTool extends FunctionTool {
  private readonly ownUi: ToolUi;

  constructor(name: string, visibility: ToolUi['visibility'], resourceUri?: string, confirm = false) {
    const parameters = { type: 'object', properties: { room: { type: 'string' } } } as const;
    super({
      ...{ name, description: '', confirm, parameters },
      run: (args) => {
        ran.push([name, args]);
        return { rooms: ['Oak'], ...args };
      },
    });
    const csp = { connectDomains: ['https://api.example.com'], resourceDomains: [], frameDomains: [] };
    const page = { html: HTML, csp, permissions: ['camera' as const], prefersBorder: true };
    const readResource = (uri: string) => Promise.resolve({ uri, ...page });
    this.ownUi = { server: SERVER, name, visibility, resourceUri, readResource };
  }

  override get ui(): ToolUi {
    return this.ownUi;
  }
}

/** A runner whose model shows a page, from which rooms are booked: each booking asks for confirmation. */
export function openRooms(): Promise<Runner> {
  ran.length = 0;
  const tools = [
    new RoomTool('show', ['model', 'app'], VIEW),
    new RoomTool('book', ['app'], undefined, true),
    new RoomTool('refresh', ['app']),
    new RoomTool('secret', ['model']),
  ];
  const model = new ScriptedModel(callsTool('show', { room: 'Oak' }), says('Here it is.'), says('Booked?'));
  return createRunner(
    defineAgent({ name: 'desk', description: '', model, tools: [new StaticToolset(tools)] }),
  );
}
