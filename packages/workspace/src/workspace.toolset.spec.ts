import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { agent, createRunner, LlmAgent, type PendingRequest, SessionService } from '@adorn/core';
import { logOf } from '@adorn/core/backend';
import { callsTool as calls, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  artifactFiles,
  type FileChange,
  folderFiles,
  versionOf,
  workspace,
  type WorkspaceOptions,
  type WorkspaceSource,
} from './index.js';
import { useFolders } from './workspace.fixture.js';

const newFolder = useFolders();
const ADA = { userId: 'ada', sessionId: 's1' };
const version = (text: string): string => versionOf(Buffer.from(text));

/** A conversation about files, with these calls of the model. */
async function open(source: WorkspaceSource, steps: ScriptedStep[], options?: WorkspaceOptions) {
  @agent({ tools: [workspace(source, options)], description: 'Edits.' })
  class Editor extends LlmAgent {}

  const model = new ScriptedModel(...steps, says('Done.'));
  const runner = await createRunner(Editor, { model });
  const responses = async (): Promise<unknown[]> => {
    const session = await runner.get(SessionService).getSession({ ...ADA, appName: runner.appName });
    return logOf(session!).flatMap(({ functionResponses }) =>
      functionResponses.filter(({ willContinue }) => willContinue !== true).map(({ response }) => response),
    );
  };
  const say = async (message = 'Go.') => runner.run({ ...ADA, message });
  const only = async (): Promise<PendingRequest> => {
    const [request, ...others] = await runner.pending(ADA);
    expect(others).toEqual([]);
    return request!;
  };
  return { runner, model, say, responses, only };
}

const read = (path: string, more: object = {}) => calls('read_file', { path, ...more });
const write = (path: string, content: string, more: object = {}) =>
  calls('write_file', { path, content, ...more });
const edit = (path: string, oldText: string, newText: string, more: object = {}) =>
  calls('edit_file', { path, oldText, newText, ...more });
const remove = (path: string) => calls('delete_file', { path });

describe('the labels of a workspace', () => {
  it('are those of what its tools read', () => {
    const labels = { untrusted: true, confidential: true };

    const tools = workspace('.', labels).listTools();

    const labelled = tools.filter(({ traits }) => traits.confidential === true && traits.untrusted === true);
    expect(labelled.map(({ name }) => name)).toEqual(['read_file', 'grep']);
  });
});

describe('workspace: reading', () => {
  it('lists, finds and reads files, with numbers of lines and a version', async () => {
    const folder = newFolder({ 'src/a.ts': 'one\r\ntwo\n', 'src/deep/b.ts': 'b', 'README.md': 'Read me.' });
    const { say, responses, model } = await open(
      folder,
      [
        calls('list_files', {}),
        calls('list_files', { path: 'src/', recursive: true }),
        calls('glob', { pattern: '**/*.ts' }),
        calls('glob', { pattern: './*.ts', path: 'src' }),
        read('src/a.ts'),
        read('src/a.ts', { line: 2, limit: 1 }),
        read('src/a.ts', { line: 3 }),
        read('src/c.ts'),
        read('../secret'),
      ],
      { readOnly: true },
    );
    await say();

    expect(await responses()).toEqual([
      { entries: ['README.md', 'src/'], total: 2 },
      { entries: ['src/a.ts', 'src/deep/b.ts'], total: 2 },
      { paths: ['src/a.ts', 'src/deep/b.ts'], total: 2 },
      { paths: ['src/a.ts'], total: 1 },
      { path: 'src/a.ts', version: version('one\r\ntwo\n'), lines: 2, text: '1\tone\n2\ttwo' },
      { path: 'src/a.ts', version: version('one\r\ntwo\n'), lines: 2, text: '2\ttwo' },
      { error: 'The file "src/a.ts" has 2 lines, and none with the number 3.' },
      { error: 'There is no file "src/c.ts". Call list_files or glob to see which there are.' },
      { error: expect.stringContaining('The path "../secret" leads upwards.') as string },
    ]);
    const declared = model.requests[0]?.config.tools?.flatMap((entry) =>
      'functionDeclarations' in entry ? (entry.functionDeclarations ?? []) : [],
    );
    expect(declared?.map(({ name }) => name)).toEqual(['list_files', 'read_file', 'glob', 'grep']);
  });

  it('reads a long file in pieces, and says where to read on', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${String(index + 1)}`);
    const folder = newFolder({
      'long.txt': lines.join('\n'),
      'wide.txt': 'x'.repeat(100_000),
      'empty.txt': '',
    });
    const { say, responses } = await open(folder, [
      read('long.txt'),
      read('long.txt', { line: 2_001 }),
      read('wide.txt'),
      read('empty.txt'),
    ]);
    await say();

    const [first, rest, wide, empty] = (await responses()) as { text: string; nextLine?: number }[];
    expect(first?.nextLine).toBe(2_001);
    expect(first?.text.split('\n')).toHaveLength(2_000);
    expect(rest).toMatchObject({ lines: 3_000, text: expect.stringMatching(/^2001\tline 2001\n/) as string });
    expect(rest?.nextLine).toBeUndefined();
    expect(wide?.text).toMatch(/^1\tx{2000} \[98000 more characters: call grep for them\]$/);
    expect(empty).toMatchObject({ lines: 0, text: '' });
  });

  it('shows a picture, and says of other bytes that they are no text', async () => {
    const png = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.alloc(100, 7),
    ]);
    const folder = newFolder({ 'logo.png': png, 'data.bin': new Uint8Array([0, 1, 2, 255]) });
    const { say, responses, model } = await open(folder, [read('logo.png'), read('data.bin')]);
    await say();

    const [picture, other] = await responses();
    expect(picture).toMatchObject({ path: 'logo.png', file: { mimeType: 'image/png', bytes: 108 } });
    expect(other).toMatchObject({ path: 'data.bin', bytes: 4, binary: true });
    expect(JSON.stringify(model.requests[1]?.contents)).toContain(png.toString('base64'));
    expect(JSON.stringify(model.requests[2]?.contents)).not.toContain(png.toString('base64'));
  });

  it('searches texts literally, or by a regular expression that cannot hold the process up', async () => {
    const folder = newFolder({
      'a.ts': 'const a = f(1);\nconst b = F(2);\n',
      'docs/b.md': `f(1) ${'.'.repeat(2_000)} f(1)\n`,
      'evil.txt': `${'a'.repeat(40)}!`,
      'data.bin': new Uint8Array([0, 1]),
    });
    const grep = (pattern: string, more: object = {}) => calls('grep', { pattern, ...more });
    const { say, responses } = await open(folder, [
      grep('f(1)'),
      grep('F(', { ignoreCase: true, glob: '*.ts' }),
      grep(String.raw`^const \w = F`, { regex: true, path: '.' }),
      grep('(', { regex: true }),
      grep('(a+)+$', { regex: true, glob: 'evil.txt' }),
      calls('glob', { pattern: '*'.repeat(501) }),
    ]);
    await say();

    const [literal, folded, regex, broken, endless, long] = await responses();
    expect(literal).toEqual({
      matches: ['a.ts:1: const a = f(1);', expect.stringMatching(/^docs\/b\.md:1: f\(1\) \.+…$/) as string],
      skipped: '1 files that are no text, or too large',
    });
    expect(folded).toEqual({ matches: ['a.ts:1: const a = f(1);', 'a.ts:2: const b = F(2);'] });
    expect(regex).toMatchObject({ matches: ['a.ts:2: const b = F(2);'] });
    expect(broken).toEqual({ error: expect.stringContaining('cannot be read') as string });
    expect(endless).toEqual({ error: expect.stringContaining('took longer than 5000 ms') as string });
    expect(long).toEqual({ error: 'The pattern has more than 500 characters.' });
  });
});

describe('workspace: changing', () => {
  it('creates, writes over the version that was read, and edits a text that is there once', async () => {
    const folder = newFolder({ 'a.txt': 'one two two\n', 'win.txt': 'a\r\nb\r\n' });
    const { say, responses } = await open(
      folder,
      [
        write('new/b.txt', 'new'),
        write('a.txt', 'x'),
        write('a.txt', 'x', { version: 'stale' }),
        edit('a.txt', 'two', 'three'),
        edit('a.txt', 'four', 'three'),
        edit('a.txt', 'one', 'one'),
        edit('a.txt', 'two', '$&', { replaceAll: true }),
        edit('win.txt', 'a\nb', 'c\nd'),
        write('new/b.txt', 'newer', { version: version('new') }),
        edit('none.txt', 'a', 'b'),
        write('none.txt', 'x', { version: 'v' }),
      ],
      { confirm: false },
    );
    await say();

    expect(await responses()).toEqual([
      { path: 'new/b.txt', version: version('new'), created: true },
      { error: 'The file "a.txt" exists already. Read it, and pass its version to write over it.' },
      { error: 'The file "a.txt" does not have the version "stale". Read it again first.' },
      {
        error:
          'The file "a.txt" has this oldText 2 times. Add lines around it until it is unique, or set replaceAll.',
      },
      { error: 'The file "a.txt" does not have this oldText. Read the file, and copy the text from it.' },
      { error: 'oldText and newText are equal: there is nothing to change.' },
      { path: 'a.txt', version: version('one $& $&\n') },
      { path: 'win.txt', version: version('c\r\nd\r\n') },
      { path: 'new/b.txt', version: version('newer') },
      { error: 'There is no file "none.txt". Create it by write_file.' },
      { error: 'There is no file "none.txt". Leave "version" out to create it.' },
    ]);
    expect(readFileSync(join(folder, 'win.txt'), 'utf8')).toBe('c\r\nd\r\n');
  });

  it('asks a person with a unified diff, and changes nothing before', async () => {
    const folder = newFolder({ 'a.txt': 'one\ntwo\nthree\n' });
    const { say, only, runner, responses } = await open(
      folder,
      [edit('a.txt', 'two', '2\u001b[31m'), write('b.txt', 'new\n'), remove('a.txt')],
      { confirm: 'write' },
    );
    await say();
    const first = await only();
    expect(first.hint).toBe(
      `--- a.txt\t${version('one\ntwo\nthree\n')}\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\\u001b[31m\n three`,
    );
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');

    await runner.approve(first);
    const second = await only();
    expect(second.hint).toBe('--- /dev/null\n+++ b.txt\n@@ -0,0 +1 @@\n+new');
    await runner.approve(second);
    const third = await only();
    expect(third.hint).toContain('+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n');
    await runner.reject(third, { reason: 'Keep it.' });

    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\u001b[31m\nthree\n');
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('new\n');
    expect((await responses()).at(-1)).toEqual({ error: 'tool call was rejected', reason: 'Keep it.' });
  });

  it('asks by default before a file is deleted or written over as a whole, and before nothing else', async () => {
    const folder = newFolder({ 'a.txt': 'a', 'b.txt': 'b' });
    const { say, only, runner } = await open(folder, [
      edit('a.txt', 'a', 'aa'),
      write('c.txt', 'c'),
      write('b.txt', 'bb', { version: version('b') }),
      remove('a.txt'),
    ]);
    await say();
    const first = await only();
    expect([first.tool, readFileSync(join(folder, 'a.txt'), 'utf8')]).toEqual(['write_file', 'aa']);
    await runner.approve(first);
    const second = await only();
    expect(second.tool).toBe('delete_file');
    await runner.approve(second);

    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('bb');
  });

  it('lets a function decide by the change, and shows its text above the diff', async () => {
    const folder = newFolder({ 'a.txt': 'a', 'secret.txt': 's' });
    const seen: FileChange[] = [];
    const confirm = (change: FileChange) => {
      seen.push(change);
      return change.path === 'secret.txt' && 'This is secret.';
    };
    const { say, only } = await open(folder, [edit('a.txt', 'a', 'b'), edit('secret.txt', 's', 't')], {
      confirm,
    });
    await say();

    expect((await only()).hint).toMatch(/^This is secret\.\n--- secret\.txt\t/);
    expect(seen[0]).toMatchObject({ tool: 'edit_file', path: 'a.txt' });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('b');
  });

  it('does not change a file that somebody has changed between the question and the yes', async () => {
    const folder = newFolder({ 'a.txt': 'one two' });
    const { say, only, runner, responses } = await open(folder, [edit('a.txt', 'two', '2')], {
      confirm: 'write',
    });
    await say();
    writeFileSync(join(folder, 'a.txt'), 'other two');
    await runner.approve(await only());

    expect((await responses()).at(-1)).toEqual({
      error:
        'The file "a.txt" has changed since the question about it. Nothing was written. Read it, and call edit_file again.',
    });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('other two');
  });

  it('does not make a change unasked that did not fit when it was to be asked about', async () => {
    const folder = newFolder({ 'a.txt': 'one' });
    let isLate = false;
    const store = folderFiles(folder);
    const { say, responses, runner } = await open(
      () => {
        // The second look, when the tool runs, finds what the first did not.
        if (isLate) writeFileSync(join(folder, 'a.txt'), 'one two');
        isLate = true;
        return store;
      },
      [edit('a.txt', 'two', '2')],
      { confirm: 'write' },
    );
    await say();

    expect(await runner.pending(ADA)).toEqual([]);
    expect(await responses()).toEqual([
      { error: expect.stringContaining('has changed since the question') as string },
    ]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one two');
  });

  it('makes the change that a person has written instead', async () => {
    const folder = newFolder({ 'a.txt': 'one two' });
    const { say, only, runner, responses } = await open(folder, [edit('a.txt', 'two', '2')], {
      confirm: 'write',
    });
    await say();
    const request = await only();
    await runner.approve(request, { args: { ...request.args, newText: 'zwei' }, by: 'grace' });

    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one zwei');
    expect((await responses()).at(-1)).toMatchObject({
      path: 'a.txt',
      argumentsChangedByPerson: expect.anything() as object,
    });
  });

  it('remembers a yes for the conversation for the same file only', async () => {
    const folder = newFolder({ 'a.txt': 'a', 'b.txt': 'b' });
    const { say, only, runner } = await open(
      folder,
      [edit('a.txt', 'a', 'b'), edit('a.txt', 'b', 'c'), edit('b.txt', 'b', 'c')],
      { confirm: 'write' },
    );
    await say();
    await runner.approve(await only(), { remember: 'session' });

    expect((await only()).args).toMatchObject({ path: 'b.txt' });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('c');
  });
});

describe('workspace: undo', () => {
  it.each<[string, () => WorkspaceSource]>([
    ['a folder', () => newFolder({ 'a.txt': 'zero' })],
    ['artifacts', () => artifactFiles()],
  ])('restores what %s had before a run, the last change first', async (_what, source) => {
    const given = source();
    const isFolder = typeof given === 'string';
    const { say, runner, responses } = await open(
      given,
      [
        ...(isFolder ? [] : [write('a.txt', 'zero'), says('Prepared.')]),
        edit('a.txt', 'zero', 'one'),
        edit('a.txt', 'one', 'two'),
        write('b/new.txt', 'new'),
        remove('a.txt'),
        says('Done.'),
        read('a.txt'),
        calls('list_files', { recursive: true }),
      ],
      { confirm: false },
    );
    if (!isFolder) await say();
    const { invocationId } = await say();
    const { undo } = await runner.undo({ ...ADA, invocationId });
    await say('Look.');

    expect(undo?.calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['delete_file', 'undone'],
      ['write_file', 'undone'],
      ['edit_file', 'undone'],
      ['edit_file', 'undone'],
    ]);
    expect((await responses()).slice(-2)).toEqual([
      expect.objectContaining({ text: '1\tzero' }),
      { entries: ['a.txt'], total: 1 },
    ]);
  });

  it('leaves a file alone that somebody has changed since', async () => {
    const folder = newFolder({ 'a.txt': 'zero' });
    const changes = [edit('a.txt', 'zero', 'one'), says('Done.'), write('b.txt', 'new')];
    const { say, runner } = await open(folder, changes);
    for (const file of ['a.txt', 'b.txt']) {
      const { invocationId } = await say();
      writeFileSync(join(folder, file), 'mine');
      const { undo } = await runner.undo({ ...ADA, invocationId });

      expect(undo?.calls).toMatchObject([{ outcome: 'failed' }]);
      expect(readFileSync(join(folder, file), 'utf8')).toBe('mine');
    }
  });
});

describe('workspace: wiring', () => {
  it.each<[string, unknown, unknown]>([
    ['an unknown option', '.', { readonly: true }],
    ['a hint as confirm', '.', { confirm: 'Really?' }],
    ['approvers that are no rule', '.', { approvers: 'boss' }],
    ['an executor of a read-only workspace', '.', { readOnly: true, executor: {} }],
    ['no source', undefined, {}],
  ])('refuses %s', (_what, source, options) => {
    expect(() => workspace(source as string, options as WorkspaceOptions)).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_OPTION_INVALID' }) as Error,
    );
  });

  it('gives each user the folder that a function names', async () => {
    const [mine, other] = [newFolder({ 'a.txt': 'mine' }), newFolder({ 'a.txt': 'theirs' })];
    const { say, responses } = await open(
      ({ userId }) => folderFiles(userId === 'ada' ? mine : other),
      [read('a.txt')],
    );
    await say();

    expect(await responses()).toEqual([expect.objectContaining({ text: '1\tmine' })]);
  });
});
