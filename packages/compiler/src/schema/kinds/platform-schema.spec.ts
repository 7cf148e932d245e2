import { deriveSource } from '../../fixtures/temporary-project.js';

const BYTES = [
  ...[
    'ArrayBuffer',
    'BigInt64Array',
    'BigUint64Array',
    'Buffer',
    'Float32Array',
    'Float64Array',
    'Int16Array',
  ],
  ...['Int32Array', 'Int8Array', 'Uint16Array', 'Uint32Array', 'Uint8Array', 'Uint8ClampedArray'],
];

/** Types that JSON has a form for in both directions, and what is made of the text. */
const WRITTEN: readonly (readonly [type: string, schema: object, revive?: object])[] = [
  ['Date', { type: 'string', format: 'date-time' }, { kind: 'date' }],
  ['URL', { type: 'string', format: 'uri' }, { kind: 'url' }],
  ['String', { type: 'string' }],
  ['Number', { type: 'number' }],
  ['Boolean', { type: 'boolean' }],
  ['Object', { type: 'object' }],
  ['string[]', { type: 'array', items: { type: 'string' } }],
  ['readonly string[]', { type: 'array', items: { type: 'string' } }],
];

const BASE64 = 'Write Uint8Array for bytes, which is sent as base64, or number[].';
const RECORD = 'Write Record<string, …>, or an array of entries.';
const LIST = 'Write an array; @uniqueItems forbids doubles.';

/** Types that it has no form for, and what to write instead. */
const REFUSED: readonly (readonly [type: string, cure: string])[] = [
  ['SharedArrayBuffer', BASE64],
  ['DataView', BASE64],
  ['Blob', BASE64],
  ['File', BASE64],
  ['Map<string, number>', RECORD],
  ['ReadonlyMap<string, number>', RECORD],
  ['WeakMap<object, number>', RECORD],
  ['Set<string>', LIST],
  ['ReadonlySet<string>', LIST],
  ['WeakSet<object>', LIST],
  ['Iterable<string>', 'Write an array.'],
  ['AsyncIterable<string>', 'Write an array.'],
  ['Promise<string>', 'Write the type of the value it brings.'],
  ['PromiseLike<string>', 'Write the type of the value it brings.'],
  ['URLSearchParams', 'Write Record<string, string>.'],
  ['Headers', 'Write Record<string, string>.'],
  ['RegExp', 'Write a string with the pattern as its text.'],
  ['Function', 'Write the data that the function would be called with.'],
  ['Error', 'Write a string with its message.'],
  ['TypeError', 'Write a string with its message.'],
  ['NodeJS.ErrnoException', 'Write a string with its message.'],
  ['Intl.NumberFormat', 'Write an interface of the data in it.'],
  ['Stats', 'Write an interface of the data in it.'],
  ['DateConstructor', 'Write an interface of the data in it.'],
];

/** Types that are refused as users' own are, for being called. */
const CALLED: readonly (readonly [type: string, reason: string])[] = [
  ['BooleanConstructor', 'it is a class itself'],
  ['FunctionConstructor', 'it is a class itself'],
  ['typeof parseInt', 'it is a function.'],
];

/** Types of the platform that are data, and users' types with the names of the platform's. */
const OBJECTS: readonly (readonly [type: string, properties: readonly string[]])[] = [
  ['AddressInfo', ['address', 'family', 'port']],
  ['Intl.NumberFormatPart', ['type', 'value']],
  ['own.Map', ['zoom']],
  ['own.Date', ['day']],
  ['own.toString', ['text']],
];

const SOURCE = `
import { tool } from 'adorn';
import type { Stats } from 'node:fs';
import type { AddressInfo } from 'node:net';
import * as own from './own.js';
declare global { interface RegExp { readonly ofOurs: string } }

${[...BYTES, ...WRITTEN.map(([type]) => type)].map((type, index) => tool(`In${String(index)}`, `value: ${type}`)).join('\n')}
${[...BYTES, ...WRITTEN.map(([type]) => type)].map((type, index) => tool(`Out${String(index)}`, '', type)).join('\n')}
${REFUSED.map(([type], index) => tool(`Refused${String(index)}`, `value: ${type}`)).join('\n')}
${CALLED.map(([type], index) => tool(`Called${String(index)}`, `value: ${type}`)).join('\n')}
${OBJECTS.map(([type], index) => tool(`Data${String(index)}`, `value: ${type}`)).join('\n')}
`;

const OWN = `
export interface Map { zoom: number }
export class Date { day!: string }
export interface toString { text: string }
`;

describe('a type of the platform', () => {
  const { classes, faults } = deriveSource(SOURCE, { 'src/own.ts': OWN });
  const toolOf = (owner: string) => classes[owner]?.tools['run'];

  it.each(BYTES.map((type, index) => [type, index] as const))(
    'of bytes, such as %s, is sent as base64, and given back with its media type',
    (type, index) => {
      expect(toolOf(`In${String(index)}`)).toMatchObject({
        parametersJsonSchema: { properties: { value: { type: 'string', contentEncoding: 'base64' } } },
        parameters: [{ kind: 'argument', name: 'value', revive: { kind: 'bytes', as: type } }],
      });
      expect(toolOf(`Out${String(index)}`)?.responseJsonSchema).toMatchObject({
        type: 'object',
        properties: { mimeType: { type: 'string' }, data: { type: 'string', contentEncoding: 'base64' } },
        required: ['mimeType'],
      });
    },
  );

  it.each(WRITTEN.map((one, index) => [one[0], BYTES.length + index, one[1], one[2]] as const))(
    '%s is sent and written in its form',
    (_type, index, schema, revive) => {
      expect(toolOf(`In${String(index)}`)?.parametersJsonSchema['properties']).toEqual({ value: schema });
      expect(toolOf(`In${String(index)}`)?.parameters).toEqual([
        { kind: 'argument', name: 'value', ...(revive && { revive }) },
      ]);
      expect(toolOf(`Out${String(index)}`)?.responseJsonSchema).toEqual(schema);
    },
  );

  it.each(REFUSED.map((one, index) => [...one, index] as const))(
    '%s is refused: %s',
    (_type, cure, index) => {
      expect(faults[`Refused${String(index)}`]?.message).toContain(`: JSON has no form for it. ${cure}`);
    },
  );

  it.each(CALLED.map((one, index) => [...one, index] as const))(
    '%s is refused: %s',
    (_type, reason, index) => {
      expect(faults[`Called${String(index)}`]?.message).toContain(reason);
    },
  );

  it.each(OBJECTS.map((one, index) => [...one, index] as const))(
    '%s is an object, for it is data or of the user',
    (_type, names, index) => {
      const schema = toolOf(`Data${String(index)}`)?.parametersJsonSchema;
      const definition = Object.values((schema?.['$defs'] ?? schema?.['properties']) as object)[0] as {
        properties: object;
      };

      expect(faults[`Data${String(index)}`]).toBeUndefined();
      expect(Object.keys(definition.properties).sort()).toEqual(names);
    },
  );
});

function tool(name: string, parameter: string, returned = 'void'): string {
  return `export class ${name} { @tool run(${parameter}): ${returned} { throw new Error(); } }`;
}
