import type { Event, Session } from '@adorn/core';
import type { AppendOptions } from '@adorn/core/backend';
import { type Database, SqlSessionService } from '@adorn/storage';

/** A store that says when it is about to append an event and when the event is stored. */
export class MortalSessionService extends SqlSessionService {
  private appends = 0;

  /** @param reach is called at each moment at which the process may die */
  constructor(
    database: Database,
    private readonly tool: string,
    private readonly reach: (moment: string) => void,
  ) {
    super(database);
  }

  override async appendEvent(session: Session, event: Event, options: AppendOptions = {}): Promise<Session> {
    const kind = kindOf(event, this.tool);
    const place = `append-${String(++this.appends)}`;
    this.reach(`before-${place}`);
    this.reach(`before-${kind}`);
    const stored = await super.appendEvent(session, event, options);
    this.reach(`after-${place}`);
    this.reach(`after-${kind}`);
    return stored;
  }
}

function kindOf({ author, functionCalls, functionResponses }: Event, tool: string): string {
  if (functionCalls.some(({ name }) => name === tool)) return 'call';
  if (functionCalls.length > 0) return 'question';
  if (author === 'user') return functionResponses.length > 0 ? 'answer' : 'message';
  if (functionResponses.some(({ name, willContinue }) => name === tool && willContinue !== true))
    return 'response';
  return 'other';
}
