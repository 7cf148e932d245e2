import { agent, LlmAgent, SequentialAgent, tool } from 'adorn';

class Website {
  /**
   * Publish a text on the website.
   * @param text The text.
   */
  @tool({ effect: 'write', confirm: 'Publish it?' })
  publish(text: string): { published: string } {
    return { published: text };
  }
}

/** Writes the notice. */
@agent({ instruction: 'Write a notice of one sentence.', outputKey: 'notice' })
class Writer extends LlmAgent {}

/** Publishes the notice. */
@agent({ instruction: 'Publish this notice with the tool: {notice}', tools: [Website] })
class Publisher extends LlmAgent {}

/** Announces the notice. */
@agent({ instruction: 'Say in one sentence that this notice is published: {notice}' })
class Announcer extends LlmAgent {}

/** Writes a notice, publishes it once a person agrees, and announces it. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Writer, Publisher, Announcer] })
export class Release extends SequentialAgent {}
