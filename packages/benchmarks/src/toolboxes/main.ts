// `npm run bench -- --toolboxes`: the size of a request of an agent with 300 tools, with and without boxes that unfold.
import { estimateTokens } from '@adorn/core/compiler';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, tool, toolbox } from 'adorn';
import type { ClassReference } from '@adorn/core/backend';

import { formatTable } from '../overhead/report/format.js';

const BOXES = 10;
const TOOLS_OF_BOX = 30;

/** The declarations that the last request of a run sends, as JSON. */
async function declarationsOf(unfold: boolean, opened: readonly string[] = []): Promise<string> {
  const model = new ScriptedModel(...opened.map((name) => callsTool(name)), says('Done.'));
  const tools = Array.from({ length: BOXES }, (_, index) => serviceOf(index, unfold));
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model });
  await runner.run({ userId: 'ada', message: 'Go.' });
  return JSON.stringify(model.requests.at(-1)?.config.tools);
}

/** A class with tools of three parameters each. */
function serviceOf(index: number, unfold: boolean): ClassReference {
  const Service = class {
    readonly index = index;
  };
  Object.defineProperty(Service, 'name', { value: `Service${String(index)}` });
  for (let number = 0; number < TOOLS_OF_BOX; number++) {
    const method = `changeEntry${String(index)}x${String(number)}`;
    const descriptor = { value: () => 'done', configurable: true, writable: true };
    Object.defineProperty(Service.prototype, method, descriptor);
    tool({ parameters: PARAMETERS, description: DESCRIPTION })(Service.prototype, method, descriptor);
  }
  toolbox({ unfold, description: 'Entries of one service: find, change and remove them.' })(Service);
  return Service;
}

const DESCRIPTION =
  'Change an entry of the service. Use it only after the user has named the entry, and say afterwards what was changed.';

const PARAMETERS = {
  type: 'object',
  properties: {
    entryId: { type: 'string', description: 'Number of the entry, such as "E-1704".' },
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'The fields to change, by their names.',
    },
    isUrgent: { type: 'boolean', description: 'Whether the change may not wait for the next day.' },
  },
  required: ['entryId', 'fields'],
  additionalProperties: false,
} as const;

const rows = [
  ['all offered', await declarationsOf(false)],
  ['unfold, no box open', await declarationsOf(true)],
  ['unfold, one box open', await declarationsOf(true, ['open_service0'])],
  ['unfold, two boxes open', await declarationsOf(true, ['open_service0', 'open_service1'])],
] as const;

console.log(
  `${String(BOXES * TOOLS_OF_BOX)} tools in ${String(BOXES)} classes: the declarations of a request\n`,
);
console.log(
  formatTable(
    ['', 'declarations', 'bytes', 'tokens, estimated'],
    rows.map(([what, json]) => [
      what,
      String((JSON.parse(json) as [{ functionDeclarations: object[] }])[0].functionDeclarations.length),
      Buffer.byteLength(json).toLocaleString('en'),
      estimateTokens(json).toLocaleString('en'),
    ]),
  ),
);
