import { BaseLlm, LlmAgent } from '@google/adk';

const [COUNT, LENGTH] = process.env.PIECES.split('x').map(Number);
const PIECES = Array.from({ length: COUNT }, () => '-'.repeat(LENGTH));

/** A model that answers at once, in pieces. */
class InstantLlm extends BaseLlm {
  constructor() {
    super({ model: 'instant' });
  }

  async *generateContentAsync(_request, stream) {
    if (stream) for (const text of PIECES) yield { content: contentOf(text), partial: true };
    yield { content: contentOf(PIECES.join('')), finishReason: 'STOP' };
  }

  async connect() {
    throw new Error('The instant model has no live connection.');
  }
}

function contentOf(text) {
  return { role: 'model', parts: [{ text }] };
}

export const rootAgent = new LlmAgent({ name: 'desk', description: 'Desk.', model: new InstantLlm() });
