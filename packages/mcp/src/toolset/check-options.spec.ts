import { mcpToolset } from './mcp.toolset.js';
import { serverName } from './server-name.js';
import { offeredNames } from './tool-definition.js';

const COMMAND = { command: 'server' };
const URL_ = { url: 'https://mcp.example/mcp' };

describe('options of mcpToolset', () => {
  it.each<[unknown, string]>([
    [undefined, 'the options are'],
    [null, 'the options are'],
    [{}, 'it has neither a command nor a url'],
    [{ ...COMMAND, ...URL_ }, 'it has a command and a url'],
    [{ command: '' }, 'command is ""'],
    [{ command: 7 }, 'command is 7'],
    [{ command: 'a\0b' }, 'command is'],
    [{ ...COMMAND, args: 'a b' }, 'args is'],
    [{ ...COMMAND, args: [1] }, 'args is'],
    [{ ...COMMAND, env: { A: 1 } }, 'env is'],
    [{ ...COMMAND, headers: {} }, 'there is no option headers'],
    [{ ...COMMAND, onyl: [] }, 'Did you mean only?'],
    [{ ...URL_, args: [] }, 'there is no option args'],
    [{ url: 'mcp.example' }, 'not an http or https URL'],
    [{ url: 'file:///etc/passwd' }, 'not an http or https URL'],
    [{ url: 'https://ada:secret@mcp.example' }, 'url holds a user name or password'],
    [{ ...URL_, headers: { a: 1 } }, 'headers is'],
    [
      { url: 'http://mcp.example/mcp', auth: { scheme: { type: 'http', scheme: 'bearer' }, key: 'k' } },
      'the credential of the user would be sent unencrypted',
    ],
    [{ ...COMMAND, name: '' }, 'name is ""'],
    [{ ...COMMAND, prefix: 'a b' }, 'prefix is "a b"'],
    [{ ...COMMAND, prefix: 'a'.repeat(33) }, 'prefix is'],
    [{ ...COMMAND, confirm: 'all' }, 'confirm is'],
    [{ ...COMMAND, effects: { echo: 'reads' } }, 'effects.echo is "reads". Did you mean read?'],
    [{ ...COMMAND, effects: [] }, 'effects is'],
    [{ ...COMMAND, timeout: 0 }, 'timeout is 0'],
    [{ ...COMMAND, timeout: NaN }, 'timeout is NaN'],
    [{ ...COMMAND, only: 'echo' }, 'only is'],
    [{ ...COMMAND, except: 'echo' }, 'except is'],
    [{ ...COMMAND, definitions: { a: 1 } }, 'definitions is'],
    [{ ...COMMAND, elicitation: 'yes' }, 'elicitation is'],
    [{ ...COMMAND, approvers: () => 'others' }, 'approvers is a function'],
    [{ ...COMMAND, approvers: 'manager' }, 'approvers is'],
    [{ ...COMMAND, sampling: 'yes' }, 'sampling is'],
    [{ ...COMMAND, roots: ['/srv'] }, 'roots is'],
    [{ ...COMMAND, maxMessageBytes: 1.5 }, 'maxMessageBytes is 1.5'],
  ])('are refused: %j', (options, message) => {
    let refusal: unknown;
    try {
      mcpToolset(options as never);
    } catch (error) {
      refusal = error;
    }

    expect(refusal).toMatchObject({
      code: 'MCP_CONFIG_INVALID',
      message: expect.stringContaining(message) as unknown,
    });
    expect(String(refusal)).not.toContain('secret');
  });

  it.each(['Authorization', 'cookie', 'Proxy-Authorization', 'X-API-Key', 'x-auth-token'])(
    'let the header %s go out over https or within this machine alone',
    (name) => {
      const headers = { [name]: 'secret' };

      expect(() => mcpToolset({ url: 'http://mcp.example/mcp', headers })).toThrow(
        `the header ${name} would be sent`,
      );
      for (const url of ['https://mcp.example/mcp', 'http://127.0.0.1:1/mcp', 'http://[::1]:1/mcp'])
        expect(() => mcpToolset({ url, headers })).not.toThrow();
    },
  );
});

describe('the names of the tools of a server', () => {
  it.each<[string[], string[]]>([
    [
      ['read_file', 'a.b:c-d'],
      ['read_file', 'a.b:c-d'],
    ],
    [
      ['a b', 'a_b', 'a/b'],
      ['a_b_2', 'a_b', 'a_b_3'],
    ],
    [
      ['1st', 'ü', '.'],
      ['_1st', '_', '_.'],
    ],
    [
      ['x'.repeat(80), 'x'.repeat(81)],
      ['x'.repeat(64), `${'x'.repeat(62)}_2`],
    ],
    [
      ['__proto__', 'constructor'],
      ['__proto__', 'constructor'],
    ],
  ])('of %j are %j', (names, offered) => {
    const given = offeredNames(names);

    expect(given).toEqual(offered);
    expect(new Set(given).size).toBe(given.length);
    for (const name of given) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/);
  });
});

describe('the name of a server in messages', () => {
  it.each([
    [{ command: 'npx', args: ['-y', '@example/files', '/srv/data'] }, 'npx -y @example/files /srv/data'],
    [
      { command: 'npx', args: ['x', '--api-key=sk_1', '--token', 'abc', '--stdio'] },
      'npx x --api-key=… --token … --stdio',
    ],
    [{ command: 'pg', args: ['postgres://ada:secret@db/app', 'ghp_abc'] }, 'pg … …'],
    [{ command: 'node', args: ['-e', 'a();\n\n  b();'] }, 'node -e a(); b();'],
    [{ url: 'https://mcp.example/mcp/?key=secret' }, 'https://mcp.example/mcp'],
    [{ url: 'https://mcp.example/s/0123456789abcdef0123456789abcdef/mcp' }, 'https://mcp.example/s/…/mcp'],
    [{ command: 'npx', args: ['x'], name: 'files' }, 'files'],
  ])('tells %j without its secrets', (options, name) => {
    expect(serverName(options)).toBe(name);
  });
});
