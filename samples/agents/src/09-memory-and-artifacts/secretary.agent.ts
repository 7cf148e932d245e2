import { agent, LlmAgent, loadArtifacts, preloadMemory, tool, type ToolContext } from 'adorn';

class Letters {
  /**
   * Write a letter to a file of the conversation.
   * @param recipient Who receives it.
   * @param text The letter.
   */
  @tool({ effect: 'write' })
  async writeLetter(
    recipient: string,
    text: string,
    context: ToolContext,
  ): Promise<{ file: string; version: number }> {
    const file = `letter-${recipient.toLowerCase()}.txt`;
    return { file, version: await context.saveArtifact(file, { text }) };
  }
}

/** Writes letters. */
@agent({
  model: 'gemini-2.5-flash',
  instruction: 'Write letters as the user prefers them. Load a letter before you change it.',
  tools: [Letters, preloadMemory(), loadArtifacts()],
})
export class Secretary extends LlmAgent {}
