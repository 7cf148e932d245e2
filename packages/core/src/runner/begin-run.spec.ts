import { InMemorySessionService } from '../sessions/in-memory-session.service.js';
import { beginSession } from './begin-run.js';

describe('beginSession', () => {
  it('gives both of two first messages that come at once the same conversation', async () => {
    const sessions = new InMemorySessionService();

    const [first, second] = await Promise.all([beginSession(sessions, KEY), beginSession(sessions, KEY)]);

    expect(second).toBe(first);
  });

  it('passes on what a store refuses for another reason', async () => {
    const sessions = new InMemorySessionService();
    sessions.createSession = () => Promise.reject(new Error('the disk is full'));

    await expect(beginSession(sessions, KEY)).rejects.toThrow('the disk is full');
  });
});

const KEY = { appName: 'shop', userId: 'ada', sessionId: 's1' };
