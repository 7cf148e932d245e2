import { InMemorySessionService } from '@adorn/core';

/** A store whose process dies after some events. */
export class DyingSessions extends InMemorySessionService {
  constructor(public left: number) {
    super();
  }

  override appendEvent(
    ...given: Parameters<InMemorySessionService['appendEvent']>
  ): ReturnType<InMemorySessionService['appendEvent']> {
    if (this.left-- <= 0) throw new Error('the process has died');
    return super.appendEvent(...given);
  }
}
