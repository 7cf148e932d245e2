import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describeWorkspaceStore } from '../contract/index.js';
import { useFolders } from '../workspace.fixture.js';
import { folderFiles, type FolderFilesOptions } from './folder.store.js';
import type { WorkspaceStore } from './workspace-store.js';

const newFolder = useFolders();
const bytes = (text: string): Uint8Array => Buffer.from(text);
const NEW = { replaces: undefined };

describeWorkspaceStore(
  'folderFiles',
  async () => {
    const folder = newFolder();
    const options = { maxFileBytes: 100_000 };
    return { store: folderFiles(folder, options), other: folderFiles(pathToFileURL(folder), options) };
  },
  { describe, it, expect },
);

async function pathsOf(store: WorkspaceStore, folder?: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of store.list(folder)) paths.push(path);
  return paths;
}

describe('folderFiles', () => {
  it('follows no link: not to a file, not to a folder, not within the folder', async () => {
    const outside = newFolder({ 'secret.txt': 'secret' });
    const folder = newFolder({ 'a.txt': 'a' });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'file-link'));
    symlinkSync(outside, join(folder, 'folder-link'));
    symlinkSync('a.txt', join(folder, 'inner-link'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    const store = folderFiles(folder);

    expect(await pathsOf(store)).toEqual(['a.txt']);
    for (const path of ['file-link', 'folder-link/secret.txt', 'inner-link', 'dangling']) {
      await expect(store.read(path)).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' });
      await expect(store.write(path, bytes('x'), NEW)).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' });
    }
    await expect(store.write('folder-link/new.txt', bytes('x'), NEW)).rejects.toMatchObject({
      code: 'FILE_PATH_INVALID',
    });
    await expect(pathsOf(store, 'folder-link')).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' });
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });

  it('may itself be reached by a link, and a hard link keeps its other name', async () => {
    const folder = newFolder({ 'a.txt': 'a' });
    const outside = newFolder({ 'b.txt': 'b' });
    const link = join(newFolder(), 'link');
    symlinkSync(folder, link);
    linkSync(join(outside, 'b.txt'), join(folder, 'b.txt'));
    const store = folderFiles(link);

    const { version } = (await store.read('b.txt'))!;
    await store.write('b.txt', bytes('changed'), { replaces: version });

    expect(await pathsOf(store)).toEqual(['a.txt', 'b.txt']);
    expect(readFileSync(join(outside, 'b.txt'), 'utf8')).toBe('b');
  });

  it('reads no device, pipe or folder, and waits for none', async () => {
    const folder = newFolder({ 'sub/a.txt': 'a' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const store = folderFiles(folder);

    expect(await pathsOf(store)).toEqual(['sub/a.txt']);
    for (const path of ['pipe', 'sub']) {
      await expect(store.read(path)).rejects.toMatchObject({ code: 'FILE_UNAVAILABLE' });
      await expect(store.write(path, bytes('x'), NEW)).rejects.toMatchObject({ code: 'FILE_UNAVAILABLE' });
    }
    await expect(store.write('sub/a.txt/b', bytes('x'), NEW)).rejects.toMatchObject({
      code: 'FILE_UNAVAILABLE',
    });
    expect(await store.read('sub/a.txt/b')).toBeUndefined();
    expect(() => folderFiles('/dev/null')).toThrow(/there is no folder/);
  });

  it('leaves out what is ignored, in any case and at any depth', async () => {
    const files = {
      '.git/config': 'g',
      'x/node_modules/a.js': 'n',
      'x/a.js': 'a',
      '.env': 'e',
      'b.LOG': 'l',
    };
    const folder = newFolder(files);
    const standard = folderFiles(folder);
    const own = folderFiles(folder, { ignore: ['.env*', '*.log', 'x'] });

    expect(await pathsOf(standard)).toEqual(['.env', 'b.LOG', 'x/a.js']);
    expect(await pathsOf(own)).toEqual(['.git/config']);
    for (const path of [
      '.git/config',
      '.GIT/config',
      '.git',
      'x/node_modules/new.js',
      '.adorn-lock',
      '.adorn-lock-1/x',
    ])
      for (const work of [() => standard.read(path), () => standard.write(path, bytes('x'), NEW)])
        await expect(work()).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' });
    await expect(own.read('.env')).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' });
    await expect(pathsOf(standard, '.git')).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' });
  });

  it('keeps the permissions of a file, and leaves nothing beside it', async () => {
    const folder = newFolder({ 'run.sh': 'echo' });
    chmodSync(join(folder, 'run.sh'), 0o750);
    const store = folderFiles(folder);
    const { version } = (await store.read('run.sh'))!;

    await store.write('run.sh', bytes('echo 2'), { replaces: version });
    await store.write('a/b/new.txt', bytes('new'), NEW);

    expect(statSync(join(folder, 'run.sh')).mode & 0o777).toBe(0o750);
    expect(readdirSync(folder).sort()).toEqual(['a', 'run.sh']);
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['new.txt']);
  });

  it('names no path outside of the workspace when the disk refuses', async () => {
    const folder = newFolder({ 'a.txt': 'a', 'large.txt': 'x'.repeat(50) });
    const store = folderFiles(folder, { maxFileBytes: 10 });
    const error = await store.read('large.txt').catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({
      code: 'FILE_UNAVAILABLE',
      message: 'The file "large.txt" has 50 bytes, and at most 10 are read and written.',
    });
    expect(JSON.stringify(error)).not.toContain(folder);
  });

  it('goes on when a process has died with the lock, and publishes nothing of it', async () => {
    const folder = newFolder({ 'a.txt': 'a' });
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    const { hostname } = await import('node:os');
    const { hash } = await import('node:crypto');
    const host = hash('sha256', hostname(), 'hex').slice(0, 12);
    const name = `${String(dead.pid)}.${host}.00`;
    mkdirSync(join(folder, '.adorn-lock'));
    writeFileSync(join(folder, '.adorn-lock', name), 'half');
    mkdirSync(join(folder, `.adorn-lock-${name}`));
    const store = folderFiles(folder);

    await store.write('b.txt', bytes('b'), NEW);

    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'b.txt']);
  });

  it('waits for a process that lives elsewhere, until its draft is older than a minute', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, '.adorn-lock'));
    const draft = join(folder, '.adorn-lock', '1.elsewhere.00');
    writeFileSync(draft, 'half');
    const store = folderFiles(folder);
    let isWritten = false;
    const writing = store.write('b.txt', bytes('b'), NEW).then(() => (isWritten = true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isWritten).toBe(false);

    utimesSync(draft, new Date(0), new Date(0));
    await writing;

    expect(readdirSync(folder)).toEqual(['b.txt']);
  });

  it.each<[string, unknown, unknown]>([
    ['no folder', 'does-not-exist', {}],
    ['an empty path', '', {}],
    ['null', null, {}],
    ['a URL of the web', new URL('https://example.com/'), {}],
    ['an unknown option', '.', { ignored: [] }],
    ['a size of nothing', '.', { maxFileBytes: 0 }],
    ['an ignored number', '.', { ignore: [1] }],
  ])('refuses %s', (_what, folder, options) => {
    expect(() => folderFiles(folder as string, options as FolderFilesOptions)).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_OPTION_INVALID' }) as Error,
    );
  });
});
