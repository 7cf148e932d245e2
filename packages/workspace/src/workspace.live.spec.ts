import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { callsLive, speaks, untilResponse, untilText } from '@adorn/testing';

import { KEY, startLive, until } from '../../live/src/session/live.fixture.js';
import { workspace } from './index.js';
import { useFolders } from './workspace.fixture.js';

const newFolder = useFolders();

describe('workspace in a live session', () => {
  it('reads at once, and changes a file when a person has said yes to the diff', async () => {
    const folder = newFolder({ 'a.txt': 'one two' });
    const { live, model, runner } = await startLive({ tools: [workspace(folder, { confirm: 'write' })] }, [
      untilText(),
      callsLive('read_file', { path: 'a.txt' }, 'c1'),
      untilResponse('c1'),
      callsLive('edit_file', { path: 'a.txt', oldText: 'two', newText: '2' }, 'c2'),
      untilResponse('c2'),
      untilResponse('c2'),
      speaks('Done.'),
    ]);
    live.sendText('Write two as a number.');
    const asked = (await until(live, ({ pending }) => pending.length > 0)).at(-1)?.pending[0];
    expect(asked?.hint).toContain('-one two\n');
    expect(asked?.hint).toContain('+one 2\n');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one two');

    await live.approve(asked!);
    await until(live, ({ functionResponses: [one] }) => one?.response?.['version'] !== undefined);
    await live.close();

    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one 2');
    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
    expect(session).toBeDefined();
    expect(model.connection.responses[0]?.response).toMatchObject({ text: '1\tone two' });
  });
});
