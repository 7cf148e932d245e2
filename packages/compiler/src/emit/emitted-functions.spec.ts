import { readFileSync } from 'node:fs';

import { compileAll, esbuild, runScript, tsc } from '../fixtures/compilers.js';
import { TemporaryProject } from '../fixtures/temporary-project.js';
import { ts } from '../typescript.js';
import { buildSchemas } from './build-schemas.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

/** What keeps the arguments of each call, as adorn is given them. */
const ADORN = `
export const defineTool = (...args) => ({ args });
export const defineAgent = (...args) => ({ args });
export const tool = () => () => {}, agent = tool, toolbox = tool;
`;

const WEATHER = `
export class Place { name!: string; length(): number { return 1; } }
/** Current weather. */
export async function getWeather(city: string, at?: Place): Promise<string> { return city; }
export const ALL = [getAir];
function getAir(city: string): string { return city; }
`;

const TOOLS = `
import { agent, defineAgent, defineTool as define } from 'adorn';
import * as adorn from 'adorn';
import { ALL, getWeather as weather, Place } from './weather.js';
import * as air from './weather.js';

/** Roll a die. */
const roll = (sides: number) => sides;
export class Die { sides!: number; roll(): number { return this.sides; } }

export const one = define(weather);
export const two = define(roll, { name: 'cast' });
export const three = adorn.defineTool(
  air.getWeather,
  { name: 'sky' },
);
export const four = define({ name: 'throw_die', run: (die: Die) => die.roll() });
export const make = (given: (of: number) => number) => define(given);
export const told = define({ name: 'told', parameters: {}, run: () => 1 });
export const place = new Place();

@agent({ tools: [weather, roll, ...ALL] })
export class Gambler {}
export const Clerk = defineAgent({ name: 'clerk', tools: [air.getWeather, roll] });
`;

/** Each call's record, and what the references in it lead to. */
const RUN = `
import * as named from './tools.js';
import * as weatherModule from './weather.js';
const { one, two, three, four, make, told, Die, Gambler, Clerk, place } = { ...named, ...named.default };
const weather = { ...weatherModule, ...weatherModule.default };
const known = { getWeather: weather.getWeather, roll: two.args[0], Place: place.constructor, Die };
const nameOf = (value) => Object.keys(known).find((name) => known[name] === value) ?? value?.name;
const classesOf = (tool) => Object.values(tool?.classes ?? {}).map(nameOf);
const words = (tool) => [tool?.name, nameOf(tool?.function), tool?.description, ...classesOf(tool)].filter(Boolean).join(' ');
const agentRecord = Gambler[Symbol.for('adorn:derived')];
console.log(JSON.stringify([
  ...[one, two, three, four, make(two.args[0]), told].map(({ args }) => args.length + ' ' + words(args[2])),
  ...[agentRecord, Clerk.args[1]].flatMap(({ functions }) => functions.map(words)),
]));
`;

const REACHED = [
  '3 getWeather Current weather. Place',
  '3 roll Roll a die.',
  '3 getWeather Current weather. Place',
  '3 Die',
  '3 ',
  '1 ',
  'getWeather getWeather Current weather. Place',
  'roll roll Roll a die.',
  'getAir',
  'getWeather getWeather Current weather. Place',
  'roll roll Roll a die.',
];

describe('a record of a function in emitted code', () => {
  let project: TemporaryProject;
  beforeEach(() => {
    project = new TemporaryProject();
    project.write('node_modules/adorn/index.js', ADORN);
    project.write('src/weather.ts', WEATHER);
    project.write('src/tools.ts', TOOLS);
  });
  afterEach(() => {
    project.remove();
  });

  it.each<[compiler: string, type: string, compile: (text: string) => string]>([
    ['tsc', 'module', tsc({})],
    ['tsc', 'commonjs', tsc({ module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2016 })],
    ['esbuild', 'module', esbuild({})],
    ['esbuild', 'commonjs', esbuild({ format: 'cjs', keepNames: true, target: 'es2016' })],
  ])(
    'is in the call or the agent that makes it a tool, after %s to a %s',
    async (_compiler, type, compile) => {
      project.write('package.json', JSON.stringify({ name: 'project', type }));
      compileAll(project, compile);

      const report = await buildSchemas({ project: project.root });

      expect(report).toEqual({ files: 1, classes: 1, tools: 5 });
      expect(runScript(project, RUN)).toEqual(REACHED);
    },
    SLOW,
  );

  it(
    'has the same names, and leads to the same functions and classes, when names are shortened afterwards',
    async () => {
      compileAll(project, tsc({}));
      await buildSchemas({ project: project.root });
      const path = 'build/tools.js';
      project.write(path, esbuild({ minify: true })(readFileSync(project.path(path), 'utf8')));

      expect(runScript(project, RUN)).toEqual(REACHED);
    },
    SLOW,
  );

  it(
    'is written once, and is as it was where nothing changed',
    async () => {
      compileAll(project, tsc({}));
      await buildSchemas({ project: project.root });
      const written = readFileSync(project.path('build/tools.js'), 'utf8');

      await buildSchemas({ project: project.root, check: true });
      await buildSchemas({ project: project.root });

      expect(readFileSync(project.path('build/tools.js'), 'utf8')).toBe(written);
      expect(runScript(project, RUN)).toHaveLength(REACHED.length);
    },
    SLOW,
  );

  it(
    'is not written where the calls are not those of the source',
    async () => {
      compileAll(project, tsc({}));
      project.write(
        'src/tools.ts',
        TOOLS.replace('export const two', 'export const more = define(weather);\nexport const two'),
      );

      await expect(buildSchemas({ project: project.root })).rejects.toMatchObject({
        code: 'DERIVATION_FAILED',
        message: expect.stringMatching(
          /tools\.js has no call that certainly matches the one at .*tools\.ts:11\. Run tsc first; /,
        ) as unknown,
      });
    },
    SLOW,
  );

  it(
    'is an error where it cannot be derived',
    async () => {
      project.write(
        'src/tools.ts',
        `import { defineTool } from 'adorn';\nexport const one = defineTool(find);\nfunction find(by: Map<string, string>) {}`,
      );
      compileAll(project, tsc({}));

      await expect(buildSchemas({ project: project.root })).rejects.toMatchObject({
        code: 'TYPE_NOT_REPRESENTABLE',
      });
    },
    SLOW,
  );
});
