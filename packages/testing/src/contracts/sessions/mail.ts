import { consumedAs } from '@adorn/core/backend';

import type { OpenSessions } from '../describe-session-service.js';
import { expect, it } from '../test-runner.js';
import { KEY, said } from './conversation.js';

/** What is sent to a session before it is in the log. */
export function promisesOfMail(open: OpenSessions): void {
  it('keeps mail in the order in which it was posted, for this session only, until it is deleted once', async () => {
    const sessions = await open();
    const other = { ...KEY, sessionId: 'other' };
    for (const key of [KEY, other]) await sessions.createSession(key);
    const ids = ['m-2', 'm-1', "m-3'; --"];
    for (const id of ids) await sessions.postMail(KEY, { id, body: { text: `Ä ${id}`, list: [1, null] } });
    await sessions.postMail(other, { id: 'm-1', body: {} });

    expect(await sessions.listMail(KEY)).toEqual(
      ids.map((id) => expect.objectContaining({ id, body: { text: `Ä ${id}`, list: [1, null] } })),
    );
    const deleted = await Promise.all([1, 2, 3].map(() => sessions.deleteMail(KEY, 'm-1')));
    expect(deleted.filter(Boolean)).toHaveLength(1);
    expect((await sessions.listMail(KEY)).map(({ id }) => id)).toEqual(['m-2', "m-3'; --"]);
    expect(await sessions.listMail(other)).toHaveLength(1);
    expect(await sessions.deleteMail(KEY, 'never')).toBe(false);
  });

  it('keeps the first mail of an id, whoever posts it again', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await sessions.postMail(KEY, { id: 'm-1', body: { a: 1 } });
    await sessions.refuseMail(KEY, 'm-1', 'ANSWER_INVALID');

    await Promise.all([2, 3, 4].map((a) => sessions.postMail(KEY, { id: 'm-1', body: { a } })));

    expect(await sessions.listMail(KEY)).toEqual([{ id: 'm-1', body: { a: 1 }, refusal: 'ANSWER_INVALID' }]);
  });

  it('says which sessions have mail, and lists them by their oldest', async () => {
    const sessions = await open();
    const keys = ['empty', 'second', 'first'].map((sessionId) => ({ ...KEY, sessionId }));
    for (const key of keys) await sessions.createSession(key);
    const [, second, first] = keys;
    for (const key of [first, second, first]) await sessions.postMail(key ?? KEY, mailOf());
    const unknown = { ...KEY, sessionId: 'unknown' };

    expect(await sessions.haveMail([...keys, unknown])).toEqual([false, true, true, false]);
    expect(await sessions.haveMail([])).toEqual([]);
    expect(await sessions.listMailboxes(KEY.appName)).toEqual([first, second]);
    expect(await sessions.listMailboxes('other')).toEqual([]);
  });

  it('records why a mail was not taken', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await sessions.postMail(KEY, { id: 'm-1', body: { a: 1 } });

    await sessions.refuseMail(KEY, 'm-1', 'ANSWER_INVALID');
    await sessions.refuseMail(KEY, 'gone', 'ANSWER_INVALID');

    expect(await sessions.listMail(KEY)).toEqual([{ id: 'm-1', body: { a: 1 }, refusal: 'ANSWER_INVALID' }]);
  });

  it('deletes mail with its session, and refuses mail to a session that does not exist', async () => {
    const sessions = await open();
    await sessions.createSession(KEY);
    await sessions.postMail(KEY, mailOf());
    await sessions.deleteSession(KEY);

    expect(await sessions.listMail(KEY)).toEqual([]);
    expect(await sessions.listMailboxes(KEY.appName)).toEqual([]);
    await expect(sessions.postMail(KEY, mailOf())).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await sessions.createSession(KEY);
    expect(await sessions.listMail(KEY)).toEqual([]);
  });

  it('lets one event consume a mail, whoever tries', async () => {
    const sessions = await open();
    const session = await sessions.createSession(KEY);
    const consumes = [consumedAs({ id: 'm-1' })];
    const appended = await sessions.appendEvent(session, said('Stop'), { consumes });

    await expect(sessions.appendEvent(appended, said('Stop'), { consumes })).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
      requestId: 'mail:m-1',
    });
    expect((await sessions.getSession(KEY))?.events).toHaveLength(1);
  });
}

let posted = 0;

function mailOf(): { readonly id: string; readonly body: Readonly<Record<string, unknown>> } {
  return { id: `n-${String(++posted)}`, body: {} };
}
