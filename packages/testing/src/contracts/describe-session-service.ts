import type { Session, SessionService } from '@adorn/core';

import { promisesOfAppending } from './sessions/appending.js';
import { promisesOfAppendConflicts, promisesOfConcurrency } from './sessions/concurrency.js';
import { KEY, said, textsOf } from './sessions/conversation.js';
import { promisesOfEvents, promisesOfFilters } from './sessions/events.js';
import { expectNoHolds, promisesOfHolds } from './sessions/holds.js';
import { promisesOfDeletionListeners, promisesOfLifecycle } from './sessions/lifecycle.js';
import {
  listedFrom,
  promisesOfAllSessions,
  promisesOfListing,
  promisesOfPaging,
} from './sessions/listing.js';
import { promisesOfMail } from './sessions/mail.js';
import { promisesOfMoving, promisesOfTitles } from './sessions/moving.js';
import { promisesOfNameLengths, promisesOfNames } from './sessions/names.js';
import { promisesOfOpenRequests } from './sessions/open-requests.js';
import { promisesOfOwners } from './sessions/owners.js';
import { promisesOfCommonAppends, promisesOfListedRuns, promisesOfRuns } from './sessions/runs.js';
import { promisesOfStateUpdates } from './sessions/state-updates.js';
import {
  promisesOfState,
  promisesOfUserState,
  promisesOfUserStateWithoutSessions,
} from './sessions/state.js';
import { promisesOfSummaries } from './sessions/summaries.js';
import { describe, expect, it } from './test-runner.js';

/** Opens a service that holds nothing yet. */
export type OpenSessions = () => Promise<SessionService>;

/**
 * Methods that a backend may omit; it then inherits those of the base class. `deleted` is one that its `deleteSession` does
 * not call.
 */
export type OptionalSessionMethod =
  | 'allSessions'
  | 'appendEvents'
  | 'deleted'
  | 'deleteUserState'
  | 'getUserState'
  | 'listOpenRequests'
  | 'openRun'
  | 'postMail'
  | 'renewRuns'
  | 'renameSession'
  | 'stateUpdates';

export interface SessionContractOptions {
  /**
   * Methods that the backend does not override. Their tests are skipped; instead `allSessions`, `deleteUserState`, `getUserState`,
   * `openRun`, `listOpenRequests`, `postMail` and `renameSession` must reject with `NOT_SUPPORTED`, and `stateUpdates` must return an empty
   * list. `openRun` represents all records of
   * runs: `closeRun`, `listRuns`, and the options `opens` and `becomes` of an append. `renewRuns` represents their holds:
   * `findHold`, `releaseRun`, `requestCancel`, `noteReader`, and `hold` of a listed run. `postMail` represents the mailbox:
   * `listMail`, `deleteMail`, `refuseMail`, `haveMail`, `listMailboxes`. `getUserState` represents `updateUserState` as well.
   */
  readonly lacks?: readonly OptionalSessionMethod[];
}

/** The contract of session services. A new backend is complete when this suite passes. */
export function describeSessionService(
  name: string,
  open: OpenSessions,
  { lacks = [] }: SessionContractOptions = {},
): void {
  describe(`${name} as a SessionService`, () => {
    promisesOfLifecycle(open);
    if (!lacks.includes('deleted')) promisesOfDeletionListeners(open);
    promisesOfState(open);
    if (!lacks.includes('deleteUserState')) promisesOfUserState(open);
    if (!lacks.includes('getUserState')) promisesOfUserStateWithoutSessions(open);
    if (!lacks.includes('stateUpdates')) promisesOfStateUpdates(open);
    promisesOfAppending(open);
    promisesOfEvents(open);
    promisesOfFilters(open);
    promisesOfListing(open);
    promisesOfPaging(open);
    if (!lacks.includes('allSessions')) promisesOfAllSessions(open);
    promisesOfOwners(open);
    promisesOfNames(open);
    promisesOfNameLengths(open, lacks);
    promisesOfConcurrency(open);
    promisesOfAppendConflicts(open);
    if (!lacks.includes('openRun')) {
      promisesOfRuns(open);
      promisesOfListedRuns(open);
      if (!lacks.includes('renewRuns')) promisesOfHolds(open);
      if (!lacks.includes('appendEvents')) promisesOfCommonAppends(open);
    }
    if (!lacks.includes('listOpenRequests')) promisesOfOpenRequests(open);
    if (!lacks.includes('postMail')) promisesOfMail(open);
    promisesOfMoving(open);
    if (!lacks.includes('renameSession')) promisesOfTitles(open);
    promisesOfLacking(open, lacks);
    promisesOfSummaries(open);
  });
}

/** A method that a backend does without says so: callers go on by its code. */
function promisesOfLacking(open: OpenSessions, lacks: readonly OptionalSessionMethod[]): void {
  for (const method of lacks) {
    it(`does without ${method}`, async () => {
      const sessions = await open();
      await sessions.createSession(KEY);

      switch (method) {
        case 'allSessions':
          await expect(listedFrom(sessions.allSessions('app'))).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          break;
        case 'appendEvents':
          await sessions.appendEvents((await sessions.getSession(KEY)) as Session, [
            said('One'),
            said('Two'),
          ]);
          expect(textsOf(await sessions.getSession(KEY))).toEqual(['One', 'Two']);
          break;
        case 'deleted':
          await sessions.deleteSession(KEY);
          expect(await sessions.getSession(KEY)).toBeUndefined();
          break;
        case 'deleteUserState':
          await expect(sessions.deleteUserState(KEY)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
          break;
        case 'getUserState':
          await expect(sessions.getUserState(KEY)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
          await expect(sessions.updateUserState(KEY, { 'user:a': 1 })).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          break;
        case 'openRun':
          await expect(sessions.openRun(KEY, { id: 'e-1', after: 0, at: 1 })).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          await expect(sessions.listRuns({ status: 'open' })).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          await sessions.closeRun(KEY, { id: 'e-1', epoch: 1 }, 'ended');
          break;
        case 'listOpenRequests':
          await expect(sessions.listOpenRequests({ appName: KEY.appName })).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          break;
        case 'postMail':
          await expect(sessions.postMail(KEY, { id: 'm-1', body: {} })).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          expect(await sessions.listMail(KEY)).toEqual([]);
          break;
        case 'renewRuns':
          await expectNoHolds(sessions);
          break;
        case 'renameSession':
          await expect(sessions.renameSession(KEY, 'A trip')).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          break;
        case 'stateUpdates':
          expect(await sessions.stateUpdates(KEY)).toEqual([]);
      }
    });
  }
}
