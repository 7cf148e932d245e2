import { type AgentClass, defineAgent, tool, ToolContext, undo } from '@adorn/core';

import { AskingModel, deed, type Shop } from './shop.js';

const NONE = { type: 'object', properties: {}, additionalProperties: false } as const;

/** The tools whose undos are run, with their undos. */
export const UNDOS: Readonly<Record<string, string>> = { file: 'withdraw', pay_out: 'take_back' };

/** An agent that files and pays; one of the undos asks a person first. */
export function undoableDesk(shop: Shop): AgentClass<unknown> {
  class Desk {
    @tool({ description: 'Files.', effect: 'write', parameters: NONE })
    async file(_args: object, context: ToolContext): Promise<string> {
      return deed(shop, 'file', context);
    }

    @undo('file')
    async withdraw(_filed: unknown, context: ToolContext): Promise<string> {
      return deed(shop, 'withdraw', context);
    }

    @tool({ description: 'Pays out.', effect: 'write', parameters: NONE, confirm: true })
    async payOut(_args: object, context: ToolContext): Promise<string> {
      return deed(shop, 'pay_out', context);
    }

    @undo('payOut', { confirm: true })
    async takeBack(_paid: unknown, context: ToolContext): Promise<string> {
      return deed(shop, 'take_back', context);
    }
  }
  return defineAgent({
    name: 'desk',
    description: 'Files and pays.',
    tools: [Desk],
    model: new AskingModel(shop.life, ['file', 'pay_out']),
  });
}
