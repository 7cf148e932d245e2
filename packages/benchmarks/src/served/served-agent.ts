import { createRunner, defineAgent, Model, type ModelResponse, type Plugin, type Runner } from '@adorn/core';
import { type AdornServer, serve } from '@adorn/server';

/** A model that answers at once, in pieces. It keeps nothing, as a scripted one would. */
class InstantModel extends Model {
  readonly name = 'instant';

  constructor(private readonly pieces: readonly string[]) {
    super();
  }

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    for (const text of this.pieces)
      yield await Promise.resolve({ content: { role: 'model', parts: [{ text }] }, partial: true });
    const text = this.pieces.join('');
    yield { content: { role: 'model', parts: [{ text }] }, partial: false, finishReason: 'STOP' };
  }
}

/** An agent that answers in pieces, and its server. */
export class ServedAgent implements AsyncDisposable {
  private sessions = 0;

  private constructor(
    readonly runner: Runner,
    private readonly server: AdornServer,
  ) {}

  static async open(pieces: readonly string[], plugins: readonly Plugin[] = []): Promise<ServedAgent> {
    const agent = defineAgent({ name: 'desk', description: 'Desk.', model: 'instant' });
    const runner = await createRunner(agent, { model: new InstantModel(pieces), plugins });
    const limits = { streams: 100_000, sessions: 1_000_000 };
    return new ServedAgent(runner, await serve(runner, { port: 0, page: false, limits }));
  }

  get url(): string {
    return this.server.url;
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.server.token ?? ''}`, 'content-type': 'application/json' };
  }

  /** Creates a session. @returns its id */
  async session(): Promise<string> {
    const sessionId = `s${String((this.sessions += 1))}`;
    await this.runner.sessions.createSession({ appName: 'desk', userId: 'user', sessionId });
    return sessionId;
  }

  /** The body of a run. */
  static bodyOf(sessionId: string): string {
    const newMessage = { role: 'user', parts: [{ text: 'Hi' }] };
    return JSON.stringify({ appName: 'desk', userId: 'user', sessionId, newMessage, streaming: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await this.runner.close();
  }
}
