import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { remembered, tool } from 'adorn';
import { IsEmail, Max } from 'class-validator';

export class Address { street!: string }

class Person {
  /** The name that the user goes by. */
  name!: string;
}

/** What is known of the user. */
@remembered()
export class Profile extends Person {
  /** How many. @minimum 0 */
  @Max(9)
  children?: number;
  @IsEmail() mail?: string;
  home?: Address;
  born?: Date;
  diet: 'vegan' | 'vegetarian' = 'vegan';
}

export class Plain { @tool() run(): void {} }
`;

describe('the fields of a @remembered class', () => {
  const { classes, faults } = deriveSource(SOURCE);

  it('are derived as all arguments of a tool are, with those of the base class', () => {
    expect(faults).toEqual({});
    expect(classes['Profile']).toMatchObject({
      name: 'Profile',
      description: 'What is known of the user.',
      tools: {},
      fields: {
        parameters: [
          {
            kind: 'arguments',
            revive: { kind: 'class', class: 'Profile', properties: { born: { kind: 'date' } } },
          },
        ],
        parametersJsonSchema: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'The name that the user goes by.' },
            children: { type: 'number', description: 'How many.', minimum: 0, maximum: 9 },
            mail: { type: 'string', format: 'email' },
            born: { type: 'string', format: 'date-time' },
            diet: { enum: ['vegan', 'vegetarian'] },
          },
        },
      },
    });
  });

  it('are in the record of no other class', () => {
    expect(classes['Plain']).not.toHaveProperty('fields');
    expect(classes).not.toHaveProperty('Address');
  });

  it.each([
    [
      'seen?: Map<string, number>;',
      'TYPE_NOT_REPRESENTABLE',
      /^Field "seen" of Profile has the type "Map<.*main\.ts:5/,
    ],
    ['home?: { seen: Set<string> };', 'TYPE_NOT_REPRESENTABLE', /^Field "home" of Profile \("home\.seen"\)/],
    [
      '/** @minimum many */ count?: number;',
      'SCHEMA_INVALID',
      /^The schema derived for Profile .*at "count"/,
    ],
  ])('are refused, naming the field: %s', (field, code, words) => {
    const found = deriveSource(`
import { remembered } from 'adorn';
@remembered()
export class Profile {
  ${field}
}`);

    expect(found.faults['Profile']).toMatchObject({ code, message: expect.stringMatching(words) as string });
  });
});
