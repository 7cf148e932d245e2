import { failuresOf } from '../check.js';
import { checkDeclarations } from './declarations.js';
import type { PublishedTool } from './gold-tasks.js';

const published: PublishedTool = {
  name: 'cancel',
  description: 'Cancel an order.',
  parameters: {
    properties: { id: { type: 'string', description: 'The id.' }, why: { type: 'string', enum: ['a', 'b'] } },
    required: ['id', 'why'],
  },
};

describe('checkDeclarations', () => {
  it('passes what differs in nothing but additionalProperties, the order of required, and the response', () => {
    expect(
      faultsOf({ ...published, parameters: { ...published.parameters, required: ['why', 'id'] } }),
    ).toEqual([]);
  });

  it('takes an absent list of what is required for an empty one', () => {
    const optional = { ...published, parameters: { properties: {}, required: [] } };
    const sent = {
      name: 'cancel',
      description: 'Cancel an order.',
      parametersJsonSchema: { properties: {} },
    };

    expect(failuresOf(checkDeclarations([optional], requestsWith([sent])))).toEqual([]);
  });

  it.each([
    ['a word', { ...published, description: 'Cancel the order.' }, '$.description'],
    [
      'a requirement',
      { ...published, parameters: { ...published.parameters, required: ['id'] } },
      '.required',
    ],
    ['an enum', withProperty('why', { type: 'string', enum: ['a'] }), '.properties.why.enum'],
    ['a type', withProperty('id', { type: 'number', description: 'The id.' }), '.properties.id.type'],
    ['a parameter', withProperty('more', { type: 'string' }), '.properties.more'],
    ['the name', { ...published, name: 'cancel_it' }, 'it was not declared'],
  ])('finds a difference of %s', (_what, sent, fault) => {
    expect(faultsOf(sent)[0]?.fault).toContain(fault);
  });

  it('finds a tool that is not published', () => {
    const more = { name: 'more', description: '' };

    expect(failuresOf(checkDeclarations([], requestsWith([more])))).toEqual([
      { what: 'more', fault: 'it is declared, and not published' },
    ]);
  });
});

function withProperty(name: string, schema: unknown): PublishedTool {
  const properties = { ...published.parameters.properties, [name]: schema };
  return { ...published, parameters: { ...published.parameters, properties } };
}

function faultsOf({ name, description, parameters }: PublishedTool) {
  const parametersJsonSchema = { ...parameters, additionalProperties: false };
  const sent = { name, description, parametersJsonSchema, responseJsonSchema: { type: 'string' } };
  return failuresOf(checkDeclarations([published], requestsWith([sent])));
}

function requestsWith(functionDeclarations: readonly unknown[]) {
  return [{ body: { tools: [{ functionDeclarations }] } }];
}
