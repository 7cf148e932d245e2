import { FunctionTool, tool, Toolset } from '@adorn/core';
import { ScriptedModel } from '@adorn/testing';

const PARAMETERS = {
  type: 'object',
  properties: { orderId: { type: 'string', description: 'Number of the order.' } },
  additionalProperties: false,
} as const;

/** A service with tools. */
export class Orders {
  @tool({ parameters: PARAMETERS, description: 'Find an order of a customer.' })
  findOrder(): string {
    return 'found';
  }

  @tool({ parameters: PARAMETERS, description: 'Pay money back for an order.', effect: 'destructive' })
  refundOrder(): string {
    return 'refunded';
  }

  @tool({ parameters: PARAMETERS, description: 'Tell where a parcel is.', effect: 'read' })
  trackParcel(): string {
    return 'on its way';
  }
}

/** A toolset whose list can be changed. */
export class Changing extends Toolset {
  constructor(public tools: FunctionTool[]) {
    super();
  }

  listTools(): readonly FunctionTool[] {
    return this.tools;
  }
}

/** A tool that answers with its name. */
export function named(name: string, description: string): FunctionTool {
  return new FunctionTool({ name, description, run: () => name });
}

/** The names that each request of a model declares. */
export function namesIn(model: ScriptedModel): string[][] {
  return model.requests.map(({ config }) =>
    (config.tools ?? []).flatMap((entry) =>
      'functionDeclarations' in entry
        ? (entry.functionDeclarations ?? []).map(({ name }) => String(name))
        : [],
    ),
  );
}
