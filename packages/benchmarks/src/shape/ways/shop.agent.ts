import { agent, LlmAgent, Model, type ModelRequest, type ModelResponse, tool } from '@adorn/core';

class Orders {
  /** The state of an order. @param orderId The number of the order. */
  @tool look(orderId: string): string {
    return `${orderId} is on its way.`;
  }

  /** Refund an order. @param orderId The number of the order. @param cents How much. */
  @tool({ confirm: (orderId, cents) => `Refund ${String(cents)} cents for ${orderId}?` })
  refund(orderId: string, cents: number): { receipt: string } {
    return { receipt: `${orderId}: ${String(cents)}` };
  }
}

/** The agent whose turns the report follows through core. */
@agent({ model: 'lines', tools: [Orders] })
export class Shop extends LlmAgent {}

/** Answers with one content after the other. */
export class Lines extends Model {
  readonly name = 'lines';
  private readonly lines: ModelResponse[];

  constructor(...lines: ModelResponse[]) {
    super();
    this.lines = lines;
  }

  async *generate(_request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    yield this.lines.shift() ?? says('There is nothing more to say.');
  }
}

export function says(text: string): ModelResponse {
  return { content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' };
}

export function calls(name: string, args: Record<string, unknown>): ModelResponse {
  return {
    content: { role: 'model', parts: [{ functionCall: { id: 'call-1', name, args } }] },
    finishReason: 'STOP',
  };
}
