import { agent, exitLoop, LlmAgent, LoopAgent } from 'adorn';

/** Writes the text, or a better one. */
@agent({
  instruction: 'Write one sentence about the topic. Respect these remarks: {remarks?}',
  outputKey: 'draft',
})
class Writer extends LlmAgent {}

/** Reviews the text. */
@agent({
  instruction: 'Review this text: "{draft}". If it is good, call exit_loop; otherwise say what to change.',
  tools: [exitLoop()],
  outputKey: 'remarks',
})
class Reviewer extends LlmAgent {}

/** Lets the writer write and the reviewer review, until the reviewer leaves the loop, four times at most. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Writer, Reviewer], maxIterations: 4 })
export class Editing extends LoopAgent {}
