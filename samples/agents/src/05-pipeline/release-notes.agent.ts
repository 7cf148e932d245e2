import { agent, LlmAgent, SequentialAgent } from 'adorn';

/** Lists the changes. */
@agent({ instruction: 'List the changes that users notice, one per line.', outputKey: 'changes' })
class Collector extends LlmAgent {}

/** Writes the notes. */
@agent({ instruction: 'Write release notes for these changes:\n{changes}', outputKey: 'notes' })
class Writer extends LlmAgent {}

/** Shortens the notes. */
@agent({ instruction: 'Shorten these notes to one sentence:\n{notes}' })
class Editor extends LlmAgent {}

/** Makes release notes of commit messages, in three steps. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Collector, Writer, Editor] })
export class ReleaseNotes extends SequentialAgent {}
