import { migrateSource } from './migrate-source.js';

/** A program, and what becomes of it. */
type Row = readonly [title: string, before: string, after: string];

const ROWS: readonly Row[] = [
  [
    'renames an import and its uses, and nothing else that has the name',
    `import { Ask, tool } from "adorn";

class Ask2 { Ask = 1 } // Ask
const text = 'Ask', { Ask: other } = { Ask: new Ask2().Ask };
function f(Ask: number) { return Ask; }
export const decide = () => new Ask(\`\${text}\`) as Ask;
`,
    `import { RequireConfirmation, tool } from "adorn";

class Ask2 { Ask = 1 } // Ask
const text = 'Ask', { Ask: other } = { Ask: new Ask2().Ask };
function f(Ask: number) { return Ask; }
export const decide = () => new RequireConfirmation(\`\${text}\`) as RequireConfirmation;
`,
  ],
  [
    'keeps an alias',
    `import { Ask as Question } from 'adorn';\nnew Question();\n`,
    `import { RequireConfirmation as Question } from 'adorn';\nnew Question();\n`,
  ],
  [
    'keeps the local name where the new one is taken',
    `import { Ask } from 'adorn';\nclass RequireConfirmation {}\nnew Ask(), new RequireConfirmation();\n`,
    `import { RequireConfirmation as Ask } from 'adorn';\nclass RequireConfirmation {}\nnew Ask(), new RequireConfirmation();\n`,
  ],
  [
    'takes the new name once if both are imported',
    `import { Ask, RequireConfirmation } from 'adorn';\nnew Ask(), new RequireConfirmation();\n`,
    `import { RequireConfirmation } from 'adorn';\nnew RequireConfirmation(), new RequireConfirmation();\n`,
  ],
  [
    'keeps the keys of objects and the names of exports',
    `import { Ask } from 'adorn';\nexport const table = { Ask };\nexport { Ask };\nexport { Ask as B } from 'adorn';\nexport type { AddressedRequest } from 'adorn'\n`,
    `import { RequireConfirmation } from 'adorn';\nexport const table = { Ask: RequireConfirmation };\nexport { RequireConfirmation as Ask };\nexport { RequireConfirmation as B } from 'adorn';\nexport type { PendingRequest as AddressedRequest } from 'adorn'\n`,
  ],
  [
    'writes another module where all names of an import have moved',
    `import type {\n  // what a runner is given\n  RunInput,\n  AgentOptions, // of agents\n} from 'adorn'\n`,
    `import type {\n  // what a runner is given\n  RunInput,\n  AgentOptions, // of agents\n} from 'adorn/backend'\n`,
  ],
  [
    'splits an import whose names have moved to several modules',
    `import {\n  tool,\n  type RunInput, // in\n  agent, // out\n  type GeminiOptions,\n} from 'adorn';\nexport {};\n`,
    `import {\n  tool,\n  agent, // out\n} from 'adorn';\nimport type { RunInput } from 'adorn/backend';\nimport type { GeminiOptions } from '@adorn/gemini';\nexport {};\n`,
  ],
  [
    'adds names to an import of the module that is there',
    `import { tool, keyOf } from 'adorn';\nimport {\n  logOf,\n} from 'adorn/backend';\nkeyOf(logOf, tool);\n`,
    `import { tool } from 'adorn';\nimport {\n  logOf,\n  keyOf,\n} from 'adorn/backend';\nkeyOf(logOf, tool);\n`,
  ],
  [
    'removes an import that has no name left',
    `import { keyOf } from 'adorn';\nimport { logOf } from 'adorn/backend';\nkeyOf(logOf);\n`,
    `import { logOf, keyOf } from 'adorn/backend';\nkeyOf(logOf);\n`,
  ],
  [
    'reads a function from the namespace that has it now',
    `import { agent, loop, sequence as chain } from 'adorn';\nimport type { LoopOptions } from 'adorn';\nconst options: LoopOptions<string> = {};\nexport const A = chain(loop(B, options), agent), table = { loop }, name = { loop: 1 }.loop;\n`,
    `import { agent, workflow } from 'adorn';\nconst options: workflow.LoopOptions<string> = {};\nexport const A = workflow.sequence(workflow.loop(B, options), agent), table = { loop: workflow.loop }, name = { loop: 1 }.loop;\n`,
  ],
  [
    'follows a namespace import',
    `import * as kit from 'adorn';\nlet a: kit.RunInput = kit.keyOf(new kit.Ask(), kit.sequence());\nexport class B implements kit.Reply {}\n`,
    `import * as kit from 'adorn';\nimport { type RunInput, keyOf, type Reply } from 'adorn/backend';\nlet a: RunInput = keyOf(new kit.RequireConfirmation(), kit.workflow.sequence());\nexport class B implements Reply {}\n`,
  ],
  [
    'follows types that are imported in their place',
    `type A = import("adorn").RunInput; type B = import('adorn').Ask;\n`,
    `type A = import("adorn/backend").RunInput; type B = import('adorn').RequireConfirmation;\n`,
  ],
  [
    'follows a name that has changed twice',
    `import { type TurnOptions, lastingEvent } from '@adorn/core';\nlet a: TurnOptions = lastingEvent();\n`,
    `import { type LlmSettings, persistedEvent } from '@adorn/core/backend';\nlet a: LlmSettings = persistedEvent();\n`,
  ],
  [
    'moves a name that is deprecated and still exported',
    `import { chat, chooseModel, type ModelChoice } from '@adorn/cli';\nlet a: ModelChoice = chooseModel(chat);\n`,
    `import { chat } from '@adorn/cli';\nimport { chooseModel, type ModelChoice } from 'adorn/main';\nlet a: ModelChoice = chooseModel(chat);\n`,
  ],
  [
    'leaves names of other modules and of the file alone',
    `import { Ask, tool } from './adorn.js';\nimport { loop } from 'adorn-like';\nconst sequence = [Ask, loop, tool];\n`,
    `import { Ask, tool } from './adorn.js';\nimport { loop } from 'adorn-like';\nconst sequence = [Ask, loop, tool];\n`,
  ],
  [
    'keeps a default import, the line ends of Windows and a byte order mark',
    `\ufeffimport kit, { keyOf } from 'adorn'\r\nkeyOf(kit)\r\n`,
    `\ufeffimport kit from 'adorn'\r\nimport { keyOf } from 'adorn/backend'\r\nkeyOf(kit)\r\n`,
  ],
];

describe('migrateSource', () => {
  it.each(ROWS)('%s', (_, before, after) => {
    const { text, changes } = migrateSource('/a.ts', before);

    expect(text).toBe(after);
    expect(changes.length > 0).toBe(before !== after);
    expect(migrateSource('/a.ts', text)).toEqual({ text, changes: [], byHand: [] });
  });

  it('reads JSX', () => {
    const before = `import { Ask } from 'adorn';\nexport const view = <Ask title="Ask">Ask</Ask>;\n`;

    expect(migrateSource('/a.tsx', before).text).toBe(
      `import { RequireConfirmation } from 'adorn';\nexport const view = <RequireConfirmation title="Ask">Ask</RequireConfirmation>;\n`,
    );
  });

  it('says where a name stands that has no successor, and what to write', () => {
    const { text, byHand } = migrateSource(
      '/a.ts',
      `import { withCache } from 'adorn';\n\nexport const tools = [\n  withCache(weather), withCache(news)];\n`,
    );

    expect(text).toContain('import { withCache }');
    expect(byHand).toEqual([
      { line: 4, column: 3, name: 'withCache', advice: 'Write withOptions(tool, { cache }).' },
      { line: 4, column: 23, name: 'withCache', advice: 'Write withOptions(tool, { cache }).' },
    ]);
  });

  it.each([
    [`const { Ask } = await import('adorn');`, 'Ask', 'It is RequireConfirmation now.'],
    [`const { keyOf: key } = require('adorn');`, 'keyOf', 'It is keyOf of adorn/backend now.'],
    [`new (await import('adorn')).Ask();`, 'Ask', 'It is RequireConfirmation now.'],
    [
      `export { loop } from 'adorn';`,
      'loop',
      'It is workflow.loop of adorn now: export a constant or a type with it.',
    ],
    [
      `import { loop } from 'adorn'; export { loop };`,
      'loop',
      'It is workflow.loop of adorn now: export a constant or a type with it.',
    ],
  ])('leaves %j to a person', (program, name, advice) => {
    expect(migrateSource('/a.ts', program).byHand).toEqual([expect.objectContaining({ name, advice })]);
  });
});
