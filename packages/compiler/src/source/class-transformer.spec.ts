import type { JsonSchema } from '@adorn/core';

import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsDefined, IsOptional, MaxLength, ValidateIf } from 'class-validator';

class Account {
  @IsOptional() @MaxLength(5) nick!: string;
  @Expose({ name: 'display_name' }) displayName!: string;
}
class Customer extends Account {
  override nick!: string;
  @Exclude() secret!: string;
  @Exclude({ toPlainOnly: true }) password!: string;
  @Transform(({ value }: { value: string }) => value.split(',')) tags!: string[];
  @Transform(({ value }) => String(value).trim()) @MaxLength(3) code!: string;
  @Transform(({ value }) => String(value), { toPlainOnly: true }) @MaxLength(3) short!: string;
  @IsDefined() note?: string;
  @ValidateIf((one: Customer) => one.code === 'card') @MaxLength(19) card!: string;
}
@Exclude() class Closed { @Expose() open!: string; kept!: string }

export class Customers {
  @tool add(customer: Customer, closed: Closed, changes: Pick<Account, 'displayName'>): void {}
}
`;

describe('a class that class-transformer makes', () => {
  const { classes, faults } = deriveSource(SOURCE);
  const schema = classes['Customers']?.tools['add']?.parametersJsonSchema ?? {};
  const definitions = schema['$defs'] as Readonly<Record<string, JsonSchema>>;

  it('takes what is sent: by its name there, in its form there, and nothing that is left out', () => {
    expect(faults).toEqual({});
    expect(definitions['Customer']).toEqual({
      type: 'object',
      properties: {
        nick: { type: 'string', maxLength: 5 },
        password: { type: 'string' },
        tags: { type: 'string' },
        code: { type: 'string' },
        short: { type: 'string', maxLength: 3 },
        note: { type: 'string' },
        card: { type: 'string' },
        display_name: { type: 'string' },
      },
      required: ['password', 'tags', 'code', 'short', 'note', 'display_name'],
      additionalProperties: false,
    });
  });

  it('takes only what is exposed where all else is excluded', () => {
    expect(definitions['Closed']).toMatchObject({
      properties: { open: { type: 'string' } },
      required: ['open'],
    });
    expect(Object.keys(definitions['Closed']?.['properties'] as object)).toEqual(['open']);
  });

  it('has no say in a type that is only made from the class', () => {
    expect((schema['properties'] as JsonSchema)['changes']).toMatchObject({ required: ['displayName'] });
  });
});
