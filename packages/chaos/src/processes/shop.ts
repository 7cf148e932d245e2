import { Model, type ModelRequest, type ModelResponse, type ToolContext } from '@adorn/core';

import type { DeedLog } from './deed-log.js';
import type { Life } from './life.js';

/** What the tools and models of a process share. */
export interface Shop {
  readonly deeds: DeedLog;
  readonly life: Life;
}

/** The result of each tool, and of each call whose result arrives later. */
export const DONE = 'done';
/** Does something, and notes when it begins and when it has had its effect. */
export async function deed(
  { deeds, life }: Shop,
  name: string,
  { sessionId, idempotencyKey: key }: ToolContext,
): Promise<string> {
  await life.step();
  deeds.note({ sessionId, kind: 'began', tool: name, key });
  await life.step();
  deeds.note({ sessionId, kind: 'effect', tool: name, key });
  return DONE;
}

/** Asks for its tools in their order, each once, and for the next one when the one before has its result. */
export class AskingModel extends Model {
  readonly name = 'asking';

  constructor(
    private readonly life: Life,
    private readonly tools: readonly string[],
  ) {
    super();
  }

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    await this.life.step();
    const parts = contents.flatMap(({ parts: each = [] }) => each);
    const asked = new Set(parts.map(({ functionCall }) => functionCall?.name));
    const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    const next = this.tools.findIndex((name) => !asked.has(name));
    const isDue = this.tools.slice(0, Math.max(0, next)).every((name) => {
      const { response } = results.findLast((result) => result.name === name) ?? {};
      return response?.['result'] === DONE;
    });
    const name = isDue ? this.tools[next] : undefined;
    // Servers that count the calls of each answer give calls of several agents equal ids.
    const id = `call_${String(next)}`;
    const args = name === 'clerk' ? { request: 'Charge it.' } : {};
    const part = name === undefined ? { text: DONE } : { functionCall: { id, name, args } };
    yield { content: { role: 'model', parts: [part] } };
  }
}
