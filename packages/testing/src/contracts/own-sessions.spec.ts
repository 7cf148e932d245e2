import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import {
  type Event,
  InMemorySessionService,
  type Session,
  type SessionKey,
  SessionService,
} from '@adorn/core';
import type { AppendOptions, GetSessionOptions, Page, SessionSummary, StateDelta } from '@adorn/core/backend';

import { describeSessionService } from './describe-session-service.js';

/** A backend of somebody's own, without the methods that it may do without. */
class PlainSessions extends SessionService {
  private readonly inner = new InMemorySessionService();

  createSession(key: SessionKey, state?: StateDelta): Promise<Session> {
    return this.inner.createSession(key, state);
  }

  getSession(key: SessionKey, options?: GetSessionOptions): Promise<Session | undefined> {
    return this.inner.getSession(key, options);
  }

  listSessions(owner: Omit<SessionKey, 'sessionId'>, page?: Page): Promise<SessionSummary[]> {
    return this.inner.listSessions(owner, page);
  }

  updateSession(key: SessionKey, stateDelta: StateDelta): Promise<Session> {
    return this.inner.updateSession(key, stateDelta);
  }

  async deleteSession(key: SessionKey): Promise<void> {
    const found = await this.inner.getSession(key);
    await this.inner.deleteSession(key);
    await this.deleted(key, found?.events.map(({ id }) => id) ?? []);
  }

  appendEvent(session: Session, event: Event, options?: AppendOptions): Promise<Session> {
    return this.inner.appendEvent(session, event, options);
  }
}

describeSessionService('PlainSessions', async () => new PlainSessions(), {
  lacks: [
    'allSessions',
    'appendEvents',
    'deleteUserState',
    'getUserState',
    'listOpenRequests',
    'openRun',
    'postMail',
    'renameSession',
    'stateUpdates',
  ],
});

/** A backend whose `deleteSession` calls no listeners. */
class EarlierSessions extends PlainSessions {
  protected override deleted(): Promise<void> {
    return Promise.resolve();
  }
}

describeSessionService('EarlierSessions', async () => new EarlierSessions(), {
  lacks: [
    'allSessions',
    'appendEvents',
    'deleted',
    'deleteUserState',
    'getUserState',
    'listOpenRequests',
    'openRun',
    'postMail',
    'renameSession',
    'stateUpdates',
  ],
});

const OTHER_RUNNER = `
import { describe, it } from 'node:test';
import { InMemoryMemoryService } from '@adorn/core';
import { describeMemoryService, useTestRunner } from '@adorn/testing/contracts';

if (process.argv[2] === 'told') useTestRunner({ describe, it });
class Broken extends InMemoryMemoryService { async searchMemory() { return { memories: [] }; } }
const Service = process.argv[3] === 'broken' ? Broken : InMemoryMemoryService;
describeMemoryService('Memory', async () => new Service());
`;

describe('the contract suites', () => {
  let folder: string;
  beforeAll(() => {
    // Inside of this package, from where the packages of Adorn are found.
    folder = mkdtempSync(resolve('packages/testing/build/other-runner-'));
    writeFileSync(join(folder, 'memory.test.mjs'), OTHER_RUNNER);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function runWith(...args: string[]) {
    const { NODE_OPTIONS: _options, ...env } = process.env;
    return spawnSync(process.execPath, [join(folder, 'memory.test.mjs'), ...args], { encoding: 'utf8', env });
  }

  it('run under another test runner, which is passed to them', () => {
    const { status, stdout } = runWith('told');

    expect(stdout).toMatch(/# pass \d\d/);
    expect(stdout).toContain('# fail 0');
    expect(status).toBe(0);
  });

  it('fail there for a backend that is wrong', () => {
    const { status, stdout } = runWith('told', 'broken');

    expect(stdout).not.toContain('# fail 0');
    expect(status).toBe(1);
  });

  it('say what to do where there is no test runner', () => {
    const { status, stderr } = runWith();

    expect(stderr).toContain('useTestRunner({ describe, it })');
    expect(stderr).toContain('TEST_RUNNER_MISSING');
    expect(status).toBe(1);
  });
});
