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
  /** Arguments of a call of each tool. */
  readonly calls: (folder: string) => Readonly<Record<string, Record<string, unknown>>>;
}

const ENTITY = { name: 'Ada', entityType: 'person', observations: ['likes tea'] };
const RELATION = { from: 'Ada', to: 'Bob', relationType: 'knows' };

export const PUBLISHED_SERVERS: readonly PublishedServer[] = [
  {
    name: 'everything',
    fixture: 'everything.tools-list.json',
    program: programOf('server-everything'),
    args: () => ['stdio'],
    calls: () => ({
      echo: { message: 'hi' },
      'get-annotated-message': { messageType: 'success' },
      'get-env': {},
      'get-resource-links': { count: 2 },
      'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
      'get-structured-content': { location: 'New York' },
      'get-sum': { a: 1, b: 2 },
      'get-tiny-image': {},
      'gzip-file-as-resource': {
        name: 'a.txt.gz',
        data: 'data:text/plain;base64,aGVsbG8=',
        outputType: 'resource',
      },
      'toggle-simulated-logging': {},
      'toggle-subscriber-updates': {},
      'trigger-long-running-operation': { duration: 1, steps: 2 },
      'get-roots-list': {},
      'trigger-elicitation-request': {},
      'trigger-sampling-request': { prompt: 'Say hello.' },
      'simulate-research-query': { topic: 'python', ambiguous: true },
    }),
  },
  {
    name: 'filesystem',
    fixture: 'filesystem.tools-list.json',
    program: programOf('server-filesystem'),
    args: (folder) => [folder],
    calls: (folder) => ({
      write_file: { path: join(folder, 'a.txt'), content: 'one\ntwo\n' },
      read_file: { path: join(folder, 'a.txt') },
      read_text_file: { path: join(folder, 'a.txt') },
      read_media_file: { path: join(folder, 'a.txt') },
      read_multiple_files: { paths: [join(folder, 'a.txt')] },
      edit_file: { path: join(folder, 'a.txt'), edits: [{ oldText: 'one', newText: 'uno' }] },
      create_directory: { path: join(folder, 'b') },
      list_directory: { path: folder },
      list_directory_with_sizes: { path: folder },
      directory_tree: { path: folder },
      move_file: { source: join(folder, 'a.txt'), destination: join(folder, 'b', 'a.txt') },
      search_files: { path: folder, pattern: '*.txt' },
      get_file_info: { path: folder },
      list_allowed_directories: {},
    }),
  },
  {
    name: 'memory',
    fixture: 'memory.tools-list.json',
    program: programOf('server-memory'),
    args: () => [],
    calls: () => ({
      create_entities: { entities: [ENTITY, { ...ENTITY, name: 'Bob' }] },
      create_relations: { relations: [RELATION] },
      add_observations: { observations: [{ entityName: 'Ada', contents: ['plays chess'] }] },
      read_graph: {},
      search_nodes: { query: 'Ada' },
      open_nodes: { names: ['Ada'] },
      delete_observations: { deletions: [{ entityName: 'Ada', observations: ['likes tea'] }] },
      delete_relations: { relations: [RELATION] },
      delete_entities: { entityNames: ['Bob'] },
    }),
  },
  {
    name: 'sequential-thinking',
    fixture: 'seq.tools-list.json',
    program: programOf('server-sequential-thinking'),
    args: () => [],
    calls: () => ({
      sequentialthinking: { thought: 'First.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    }),
  },
];

function programOf(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  return join(resolve(`@modelcontextprotocol/${name}/package.json`), '../dist/index.js');
}
