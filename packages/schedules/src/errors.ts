import { AdornError } from '@adorn/core';

/** `@schedule` stands where it cannot, its pattern is none, or two schedules have the same name. */
export class ScheduleInvalidError extends AdornError {
  readonly code = 'SCHEDULE_INVALID';

  /**
   * @param place the class and the method
   * @param fault what is wrong, without its period
   * @param cure a sentence
   */
  constructor(place: string, fault: string, cure: string) {
    super(`@schedule of ${place} is not valid: ${fault}. ${cure}`);
  }
}

/** No schedule of an application has a name. */
export class ScheduleNotFoundError extends AdornError {
  readonly code = 'SCHEDULE_NOT_FOUND';

  /** @param names those of all its schedules */
  constructor(name: string, names: readonly string[]) {
    super(
      `No schedule is named "${name}". ` +
        `${names.length > 0 ? `There are: ${names.join(', ')}.` : 'There is none.'} Pass the class of its method in \`services\`, unless it is an agent.`,
    );
  }
}

/** The method of a schedule returned what begins no run. The occurrence is given up, and logged. */
export class ScheduledRunInvalidError extends AdornError {
  readonly code = 'SCHEDULED_RUN_INVALID';

  constructor(schedule: string, fault: string) {
    super(
      `The method of the schedule "${schedule}" returned what begins no run: ${fault}. ` +
        'Return { userId, message }, with sessionId and tenant or by if you like, a list of such runs, or nothing if the method has done the work itself.',
    );
  }
}

/** A signal was sent to a conversation in which nothing waits for it. Nothing was stored. */
export class SignalNotAwaitedError extends AdornError {
  readonly code = 'SIGNAL_NOT_AWAITED';

  constructor(name: string, sessionId: string) {
    super(
      `Nothing in the conversation "${sessionId}" waits for the signal "${name}". Send it again later, or begin a run with a message.`,
    );
  }
}
