import { type Content, Model, type ModelRequest, type ModelResponse } from '@adorn/core';

/** A call that a client asked for. */
export interface RelayedCall {
  /** The id of the call in the log. */
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

const MESSAGE = 'mcp-call ';

/**
 * Stands where an agent has its model, and makes the calls that clients ask for: so each of them takes the way of every
 * call, through the log, the callbacks and the gates.
 */
export class RelayModel extends Model {
  readonly name = 'mcp-client';
  private readonly calls = new Map<string, RelayedCall>();

  /** The message that has a call made. It is forgotten once it was made. */
  messageFor(call: RelayedCall): string {
    this.calls.set(call.id, call);
    return MESSAGE + call.id;
  }

  /** Forgets a call that was never made. */
  forget({ id }: RelayedCall): void {
    this.calls.delete(id);
  }

  override async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const call = this.take(contents.at(-1));
    await Promise.resolve();
    if (call === undefined) yield { content: { role: 'model', parts: [{ text: 'Done.' }] } };
    else yield { content: { role: 'model', parts: [{ functionCall: { ...call } }] } };
  }

  private take(content: Content | undefined): RelayedCall | undefined {
    const text = content?.parts?.[0]?.text;
    if (text?.startsWith(MESSAGE) !== true) return undefined;
    const id = text.slice(MESSAGE.length);
    const call = this.calls.get(id);
    this.calls.delete(id);
    return call;
  }
}
