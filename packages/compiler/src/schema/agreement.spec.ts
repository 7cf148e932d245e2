import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { JsonSchema } from '@adorn/core';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { deriveFiles } from '../derive/derive-files.js';
import { askTypeScript, type Verdict } from '../fixtures/agreement/ask-typescript.js';
import { Random } from '../fixtures/agreement/random.js';
import { sampleSchema } from '../fixtures/agreement/sample-schema.js';
import { sampleType } from '../fixtures/agreement/sample-type.js';
import { spoilt, VALUES } from '../fixtures/agreement/values.js';
import { TemporaryProject, TSCONFIG } from '../fixtures/temporary-project.js';
import { projectOf } from '../program/read-project.js';
import { ts } from '../typescript.js';

const FIXTURES = resolve('packages/compiler/src/fixtures/agreement');
const DECLARATIONS = readFileSync(resolve(FIXTURES, 'declarations.txt'), 'utf8');
const TYPES = readFileSync(resolve(FIXTURES, 'types.txt'), 'utf8').trim().split('\n');

/** How many values of each sort every type is tried with. */
const SAMPLES = 3;
const SPOILT = 5;
const OTHERS = 5;

interface Tried {
  readonly type: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
}

/**
 * TypeScript says what a type allows, so it is asked: about values made from the schema, values made from the type,
 * and both with something spoilt. Left out are types of which JSON has another form by convention: enums of strings,
 * brands, classes with private members, `{}`, and what may be undefined.
 */
describe('the schema of a type', () => {
  const project = new TemporaryProject({
    ...TSCONFIG,
    compilerOptions: { ...TSCONFIG.compilerOptions, lib: ['ES2023'], types: [] },
  });
  afterAll(() => {
    project.remove();
  });

  it('allows what TypeScript allows and nothing else', () => {
    const file = project.write('src/main.ts', DECLARATIONS + TYPES.map(writeTool).join('\n'));
    const schemas = derive(file);
    const options = projectOf(file).config.options;
    const tried = valuesFor(file, options, schemas);

    const verdicts = askTypeScript(file, options, tried);

    const differences = tried.flatMap((one, index) => difference(one, verdicts[index]) ?? []);
    expect(differences).toEqual([]);
    expect(tried.length).toBeGreaterThan(TYPES.length * SPOILT);
  }, 120_000);
});

function writeTool(type: string, index: number): string {
  const head = index === 0 ? "import { tool } from 'adorn';\n" : '';
  return `${head}class Tool${String(index)} { @tool run(input: ${type}): void {} }`;
}

function derive(file: string): JsonSchema[] {
  const answer = deriveFiles([file])[file];
  if (answer === undefined || 'error' in answer) throw new Error(answer?.error.message);
  expect(answer.faults).toEqual({});
  return TYPES.map((_, index) => {
    const whole = answer.classes[`Tool${String(index)}`]?.tools['run']?.parametersJsonSchema ?? {};
    const { input } = whole['properties'] as { input: JsonSchema };
    return { allOf: [input], ...(whole['$defs'] !== undefined && { $defs: whole['$defs'] }) };
  });
}

function valuesFor(file: string, options: ts.CompilerOptions, schemas: readonly JsonSchema[]): Tried[] {
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const classes = program.getSourceFile(file)?.statements.filter(ts.isClassDeclaration) ?? [];
  return schemas.flatMap((schema, index) => {
    const random = new Random(index + 1);
    const tool = classes.find((one) => one.name?.text === `Tool${String(index)}`);
    const type = checker.getTypeAtLocation(
      (tool?.members[0] as ts.MethodDeclaration).parameters[0] as ts.Node,
    );
    const made = Array.from({ length: SAMPLES }, () => [
      sampleSchema(schema, schema, random),
      sampleType(type, checker, random),
    ]).flat();
    const worse = Array.from({ length: SPOILT }, () => spoilt(random.pick(made), random));
    const others = Array.from({ length: OTHERS }, () => random.pick(VALUES));
    const values = new Map([...made, ...worse, ...others].map((value) => [JSON.stringify(value), value]));
    return [...values.values()].map((value) => ({ type: TYPES[index] ?? '', schema, value }));
  });
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, ownProperties: true });
const compiled = new Map<
  JsonSchema,
  { strict: (value: unknown) => boolean; open: (value: unknown) => boolean }
>();

function difference({ type, schema, value }: Tried, verdict: Verdict | undefined): string | undefined {
  const { takes = false, takesAsWritten = false } = verdict ?? {};
  const { strict, open } = compiledFor(schema);
  const say = (what: string): string => `${type}: ${what} ${JSON.stringify(value)} ${JSON.stringify(schema)}`;
  if (takes && takesAsWritten && !open(value)) return say('the schema refuses');
  if (!takes && !takesAsWritten && open(value)) return say('the schema allows');
  if (takes && takesAsWritten && !strict(value)) return say('the schema refuses a key of');
  return takes && !takesAsWritten && strict(value) ? say('the schema allows a key of') : undefined;
}

function compiledFor(schema: JsonSchema): NonNullable<ReturnType<typeof compiled.get>> {
  const known = compiled.get(schema) ?? { strict: ajv.compile(schema), open: ajv.compile(opened(schema)) };
  compiled.set(schema, known);
  return known;
}

/** The schema without a word against further keys. */
function opened(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  ) as JsonSchema;
}
