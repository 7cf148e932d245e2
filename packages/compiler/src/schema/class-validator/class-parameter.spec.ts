import { deriveSource } from '../../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';
import * as check from 'class-validator';
import { ArrayMaxSize, IsEmail, IsIn, IsInt as Whole, IsOptional, IsString, Length, Matches, Max, Min, MinLength } from 'class-validator';

const ROLES = ['admin', 'user'] as const;

export class Address {
  /** Postal code. */
  @Matches(/^[0-9]{5}$/) zip!: string;
  @Matches(/^[a-z]+$/i) street!: string;
}

/** A new user. */
export class NewUser {
  /** Where mail goes. */
  @IsEmail() email!: string;
  @Length(2, 10) name!: string;
  @Whole() @Min(18) @Max(120) age!: number;
  @IsOptional() @IsIn(ROLES) role!: string;
  address!: Address;
  @ArrayMaxSize(3) @MinLength(2, { each: true }) tags?: string[];
  @check.IsUUID() id!: string;
  @Whole() rank!: number | null;
  @IsString() language = 'en';
  #secret = 1;
  private note = '';
  protected kept = '';
  static count = 0;
  shout = () => this.name;
  constructor(readonly source: string) {}
  get initials(): string { return this.name; }
  greet(): string { return this.name; }
}

export class Users {
  @tool create(user: NewUser, more: NewUser[], optional?: NewUser, ...others: Address[]): void {}
}
`;

describe('a parameter that is a class', () => {
  const derived = deriveSource(SOURCE);
  const tool = derived.classes['Users']?.tools['create'];

  it('is named with its class, alone and in arrays', () => {
    const newUser = { kind: 'reference', name: 'NewUser' };
    const address = { kind: 'reference', name: 'Address' };

    expect(derived.faults).toEqual({});
    expect(tool?.parameters).toEqual([
      { kind: 'argument', name: 'user', revive: newUser },
      { kind: 'argument', name: 'more', revive: { kind: 'list', rest: newUser } },
      { kind: 'argument', name: 'optional', revive: newUser },
      { kind: 'argument', name: 'others', rest: true, revive: { kind: 'list', rest: address } },
    ]);
  });

  it('has what its validators say, read from the source, and no member that is not data', () => {
    expect(tool?.parametersJsonSchema['$defs']).toEqual({
      NewUser: {
        type: 'object',
        description: 'A new user.',
        properties: {
          email: { type: 'string', description: 'Where mail goes.', format: 'email' },
          name: { type: 'string', minLength: 2, maxLength: 10 },
          age: { type: 'integer', minimum: 18, maximum: 120 },
          role: { type: 'string', enum: ['admin', 'user'] },
          address: { $ref: '#/$defs/Address' },
          tags: { type: 'array', items: { type: 'string', minLength: 2 }, maxItems: 3 },
          id: { type: 'string', format: 'uuid' },
          rank: { type: ['integer', 'null'] },
          language: { type: 'string', default: 'en' },
          source: { type: 'string' },
        },
        required: ['email', 'name', 'age', 'address', 'id', 'rank', 'source'],
        additionalProperties: false,
      },
      Address: {
        type: 'object',
        properties: {
          zip: { type: 'string', description: 'Postal code.', pattern: '^[0-9]{5}$' },
          street: { type: 'string' },
        },
        required: ['zip', 'street'],
        additionalProperties: false,
      },
    });
  });
});
