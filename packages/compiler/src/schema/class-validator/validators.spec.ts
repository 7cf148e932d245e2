import { TemporaryProject, TSCONFIG } from '../../fixtures/temporary-project.js';
import { ts } from '../../typescript.js';
import { type Validator, validatorsOf } from './validators.js';

const SOURCE = `
import * as check from 'class-validator';
import { Equals, IsEnum, IsIn, IsInt, IsOptional, IsString as Text, Length, MaxLength, Min, MinLength, ValidateIf } from 'class-validator';
import { Expose } from 'class-transformer';

enum Color { Red = 'red', Blue = 'blue' }
enum Level { Low, 'very high' = 10 }
enum Computed { One = 1, Two = 'two'.length }
enum Widened { One = 'one' }
namespace Widened { export const two = 'two', parse = (): void => {}; }
class Static { static readonly a = 'a' }
const LIMIT = 5;
const EACH = { each: true };
declare const limit: number, each: boolean, options: check.ValidationOptions, mapped: Record<'each' | 'message', boolean>;
function Own(most: number) { return (_: object, name: string): void => {}; }

class Inputs {
  @Text() @MaxLength(LIMIT) several!: string;
  @check.MaxLength(2) byNamespace!: string;
  @Own(3) @Expose() ofOthers!: string;
  none!: string;
  @MinLength(limit) unknown!: string;
  @Length(1, 3, { message: 'Too long.' }) message!: string;
  @IsInt({ always: true }) always!: number;
  @IsInt({ context: { a: 1 } }) context!: number;
  @Equals({ a: 1 }) noOptions!: object;
  @IsIn(['a'], { message: 'no', each: true }) each!: string[];
  @IsIn(['a'], { each: false }) notEach!: string;
  @IsIn(['a'], EACH) named!: string[];
  @IsIn(['a'], { ...EACH, message: 'no' }) spread!: string[];
  @IsIn(['a'], { each }) shorthand!: any;
  @IsIn(['a'], { each: limit > 3 }) computed!: any;
  @IsIn(['a'], options) widened!: any;
  @IsIn(['a'], mapped) mapped!: any;
  @IsInt({ groups: ['other'] }) @Min(1) grouped!: number;
  @IsEnum(Color) color!: Color;
  @IsEnum(Level) level!: Level;
  @IsEnum(Computed) notKnown!: Computed;
  @IsEnum(Widened) namespace!: string;
  @IsEnum(Static) ofClass!: string;
  @IsEnum({ A: 'a' }) record!: string;
}

interface Nicked { nick: string }
class Base { @IsOptional() @MaxLength(5) nick!: string }
class Silent extends Base { override nick!: string }
class Narrower extends Base { @MinLength(1) override nick!: string }
class Demanded extends Base { @ValidateIf(() => true) override nick!: string }
class Renewed extends Base implements Nicked { @ValidateIf(() => true) @MinLength(1) override nick!: string }
class Last extends Narrower { override nick!: string }
class Made { constructor(readonly nick: string) {} }
`;

describe('the validators of a property', () => {
  const project = new TemporaryProject();
  const file = project.write('src/main.ts', SOURCE);
  const { options } = ts.convertCompilerOptionsFromJson(TSCONFIG.compilerOptions, project.root);
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const declarations = declarationsIn(program.getSourceFile(file));
  afterAll(() => {
    project.remove();
  });

  function read(owner: string, member: string): Validator[] {
    const declaration = declarations.get(`${owner}.${member}`);
    if (declaration === undefined) throw new Error(`there is no ${owner}.${member}`);
    return validatorsOf(declaration, checker);
  }

  it.each<
    [what: string, member: string, validators: readonly (readonly [string, readonly unknown[], boolean?])[]]
  >([
    [
      'all that stand there, by the names they are declared by',
      'several',
      [
        ['IsString', []],
        ['MaxLength', [5]],
      ],
    ],
    ['those of a namespace', 'byNamespace', [['MaxLength', [2]]]],
    ['none of other packages', 'ofOthers', []],
    ['none where none stands', 'none', []],
    ['an argument that only run time tells', 'unknown', [['MinLength', [undefined]]]],
    ['their arguments without the options', 'message', [['Length', [1, 3]]]],
    ['the option always for options', 'always', [['IsInt', []]]],
    ['the option context for options', 'context', [['IsInt', []]]],
    ['another object for an argument', 'noOptions', [['Equals', [{ a: 1 }]]]],
    ['that they are for each element', 'each', [['IsIn', [['a']], true]]],
    ['that they are not for each element', 'notEach', [['IsIn', [['a']]]]],
    ['that they are for each by a constant', 'named', [['IsIn', [['a']], true]]],
    ['that they are for each by a part of the options', 'spread', [['IsIn', [['a']], true]]],
    ['none of which only run time tells whether it is for each', 'shorthand', []],
    ['none of which an expression tells whether it is for each', 'computed', []],
    ['none whose options are not known', 'widened', []],
    ['none whose options are of a mapped type', 'mapped', []],
    ['none that holds for some groups only', 'grouped', [['Min', [1]]]],
    ['the members of an enum', 'color', [['IsEnum', [{ Red: 'red', Blue: 'blue' }]]]],
    ['the members of an enum by their names', 'level', [['IsEnum', [{ Low: 0, 'very high': 10 }]]]],
    ['no members of an enum that only run time tells', 'notKnown', [['IsEnum', [undefined]]]],
    ['no members of an enum that a namespace adds to', 'namespace', [['IsEnum', [undefined]]]],
    ['no members of a class', 'ofClass', [['IsEnum', [undefined]]]],
    ['a record that stands for an enum', 'record', [['IsEnum', [{ A: 'a' }]]]],
  ])('are %s', (_what, member, validators) => {
    expect(read('Inputs', member)).toEqual(
      validators.map(([name, args, each = false]) => ({ name, args, each })),
    );
  });

  it.each([
    ['all of what it overrides, where it has none', 'Silent', ['IsOptional', 'MaxLength']],
    ['its own, and the inherited condition', 'Narrower', ['MinLength', 'IsOptional']],
    ['its own condition, and what else is inherited', 'Demanded', ['ValidateIf', 'MaxLength']],
    ['its own alone, where it has both', 'Renewed', ['ValidateIf', 'MinLength']],
    ['those of the nearest that has some of the sort', 'Last', ['MinLength', 'IsOptional']],
    ['none, where it is a parameter of the constructor', 'Made', []],
  ])('are %s', (_what, owner, names) => {
    expect(read(owner, 'nick').map(({ name }) => name)).toEqual(names);
  });
});

/** The properties of a file, also those that a constructor takes, by their class and name. */
function declarationsIn(file: ts.SourceFile | undefined): ReadonlyMap<string, ts.Declaration> {
  const found = new Map<string, ts.Declaration>();
  for (const owner of file?.statements ?? []) {
    if (!ts.isClassDeclaration(owner)) continue;
    for (const member of owner.members) {
      const own = ts.isConstructorDeclaration(member) ? member.parameters : [member];
      for (const one of own) found.set(`${owner.name?.text ?? ''}.${one.name?.getText() ?? ''}`, one);
    }
  }
  return found;
}
