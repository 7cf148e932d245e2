import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A server that others have published, and a call of each of its tools. */
export interface PublishedServer {
  readonly name: string;
  /** The file of its tools in the fixtures. */
  readonly fixture: string;
  readonly program: string;
  /** Arguments of the program; `folder` is one that it may write to. */
  readonly args: (folder: string) => readonly string[];
  /** A call of each tool, in this order. */
  readonly calls: (folder: string) => Readonly<Record<string, CheckedCall>>;
}

/** The arguments of a call, and what the JSON of its response holds, by what the tool is said to do. */
export type CheckedCall = readonly [args: Record<string, unknown>, told: string | RegExp];

const ENTITY = { name: 'Ada', entityType: 'person', observations: ['likes tea'] };
const RELATION = { from: 'Ada', to: 'Bob', relationType: 'knows' };

export const PUBLISHED_SERVERS: readonly PublishedServer[] = [
  {
    name: 'everything',
    fixture: 'everything.tools-list.json',
    program: programOf('server-everything'),
    args: () => ['stdio'],
    calls: () => ({
      echo: [{ message: 'hi' }, '{"result":"Echo: hi"}'],
      'get-annotated-message': [{ messageType: 'success' }, 'completed successfully'],
      'get-env': [{}, /\\"PATH\\": /],
      'get-resource-links': [
        { count: 2 },
        /demo:\/\/resource\/dynamic\/\w+\/1".*demo:\/\/resource\/dynamic\/\w+\/2"/,
      ],
      'get-resource-reference': [
        { resourceType: 'Text', resourceId: 1 },
        /"uri":"demo:\/\/resource\/dynamic\/text\/1","mimeType":"text\/plain","text":"Resource 1: /,
      ],
      'get-structured-content': [
        { location: 'New York' },
        /^\{"temperature":-?\d+,"conditions":"[^"]+","humidity":\d+\}$/,
      ],
      'get-sum': [{ a: 1, b: 2 }, 'is 3.'],
      'get-tiny-image': [{}, /"type":"image","mimeType":"image\/png","artifact":"mcp\/[^"]+\/1","version":0/],
      'gzip-file-as-resource': [
        { name: 'a.txt.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resource' },
        /"mimeType":"application\/gzip","artifact":"mcp\/[^"]+\/0","version":0/,
      ],
      'toggle-simulated-logging': [{}, 'Started simulated, random-leveled logging'],
      'toggle-subscriber-updates': [{}, 'Started simulated resource updated notifications'],
      'trigger-long-running-operation': [{ duration: 1, steps: 2 }, 'Duration: 1 seconds, Steps: 2.'],
      'get-roots-list': [{}, 'file:///tmp'],
      'trigger-elicitation-request': [{}, /- Name: Ada.*\\"action\\": \\"accept\\"/],
      'trigger-sampling-request': [{ prompt: 'Say hello.' }, '\\"text\\": \\"Hello.\\"'],
      'simulate-research-query': [{ topic: 'python', ambiguous: true }, /Research Report: python.*Stage 4: /],
    }),
  },
  {
    name: 'filesystem',
    fixture: 'filesystem.tools-list.json',
    program: programOf('server-filesystem'),
    args: (folder) => [folder],
    calls: (folder) => ({
      write_file: [{ path: join(folder, 'a.txt'), content: 'one\ntwo\n' }, 'Successfully wrote'],
      read_file: [{ path: join(folder, 'a.txt') }, '{"content":"one\\ntwo\\n"}'],
      read_text_file: [{ path: join(folder, 'a.txt') }, '{"content":"one\\ntwo\\n"}'],
      read_media_file: [
        { path: join(folder, 'a.txt') },
        `"blob":"${Buffer.from('one\ntwo\n').toString('base64')}"`,
      ],
      read_multiple_files: [{ paths: [join(folder, 'a.txt')] }, 'a.txt:\\none\\ntwo\\n'],
      edit_file: [
        { path: join(folder, 'a.txt'), edits: [{ oldText: 'one', newText: 'uno' }] },
        '-one\\n+uno\\n',
      ],
      create_directory: [{ path: join(folder, 'b') }, 'Successfully created'],
      list_directory: [{ path: folder }, '[FILE] a.txt\\n[DIR] b'],
      list_directory_with_sizes: [{ path: folder }, /a\.txt +8 B.*Total: 1 files, 1 directories/],
      directory_tree: [{ path: folder }, /"name\\": \\"a\.txt.*"name\\": \\"b\\"/],
      move_file: [
        { source: join(folder, 'a.txt'), destination: join(folder, 'b', 'a.txt') },
        'Successfully moved',
      ],
      search_files: [{ path: folder, pattern: '**/*.txt' }, join(folder, 'b', 'a.txt')],
      get_file_info: [{ path: join(folder, 'b', 'a.txt') }, /size: 8\\n.*isFile: true/],
      list_allowed_directories: [{}, '/tmp'],
    }),
  },
  {
    name: 'memory',
    fixture: 'memory.tools-list.json',
    program: programOf('server-memory'),
    args: () => [],
    calls: () => ({
      create_entities: [
        { entities: [ENTITY, { ...ENTITY, name: 'Bob' }] },
        JSON.stringify({ entities: [ENTITY, { ...ENTITY, name: 'Bob' }] }),
      ],
      create_relations: [{ relations: [RELATION] }, JSON.stringify({ relations: [RELATION] })],
      add_observations: [
        { observations: [{ entityName: 'Ada', contents: ['plays chess'] }] },
        '{"entityName":"Ada","addedObservations":["plays chess"]}',
      ],
      search_nodes: [{ query: 'chess' }, /^\{"entities":\[\{"name":"Ada"(?!.*"name":"Bob")/],
      open_nodes: [{ names: ['Bob'] }, /^\{"entities":\[\{"name":"Bob"(?!.*"name":"Ada")/],
      delete_observations: [
        { deletions: [{ entityName: 'Ada', observations: ['likes tea'] }] },
        '"success":true',
      ],
      delete_relations: [{ relations: [RELATION] }, '"success":true'],
      delete_entities: [{ entityNames: ['Bob'] }, '"success":true'],
      // What is left after the others.
      read_graph: [
        {},
        JSON.stringify({ entities: [{ ...ENTITY, observations: ['plays chess'] }], relations: [] }),
      ],
    }),
  },
  {
    name: 'sequential-thinking',
    fixture: 'seq.tools-list.json',
    program: programOf('server-sequential-thinking'),
    args: () => [],
    calls: () => ({
      sequentialthinking: [
        { thought: 'First.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
        /"thoughtNumber":1,"totalThoughts":1,"nextThoughtNeeded":false.*"thoughtHistoryLength":1/,
      ],
    }),
  },
];

function programOf(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  return join(resolve(`@modelcontextprotocol/${name}/package.json`), '../dist/index.js');
}
