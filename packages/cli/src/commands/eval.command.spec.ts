import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import { type Ended, Project } from './project.fixture.js';

const APP = `
import { createRunner, defineAgent, FunctionTool } from 'adorn';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
const look = new FunctionTool({
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
  run: () => 'clear',
});
const model = new ScriptedModel(callsTool('look', { at: 'Oslo' }), says('Oslo is clear.'), says('No idea.'));
export default await createRunner(defineAgent({ name: 'desk', instruction: 'Be brief.', tools: [look] }), { model });
`;

const SET = {
  eval_set_id: 'weather',
  eval_cases: [caseOf('oslo', 'Oslo is clear', 'Oslo'), caseOf('bergen', 'Bergen is wet', 'Bergen')],
};

const SETTINGS = ['weather.evalset.json', '--concurrency', '1'];
const EVALUATED = ['app.js', ...SETTINGS];

const FILES = { 'app.js': APP, 'weather.evalset.json': JSON.stringify(SET) };

describe('adorn eval', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(FILES);
  });
  afterEach(() => rm(project.path('test_config.json'), { force: true }));
  afterAll(() => project.remove());

  /** Evaluates a new copy of the application: an evaluation closes the runner that a file exports. */
  async function adornEval(...args: string[]): Promise<Ended> {
    const file = `app-${randomUUID()}.js`;
    await project.write(file, APP);
    return project.adornInTurn('eval', file, ...SETTINGS, ...args);
  }

  it('prints each case with its scores, what was expected and what was found, and fails', async () => {
    const { output, code } = await project.adorn('eval', ...EVALUATED);

    expect(output).toBe(`
weather.evalset.json
  passed   oslo  tool_trajectory_avg_score 1.00 (≥ 1)  response_match_score 1.00 (≥ 0.8)
  FAILED   bergen  tool_trajectory_avg_score 0.00 (< 1)  response_match_score 0.00 (< 0.8)
           turn 1: How is bergen?
             expected  look {"at":"Bergen"}, "Bergen is wet"
             found     "No idea."

1 passed, 1 failed
`);
    expect(code).toBe(1);
  });

  it('plays the set of the guide with the script that its file gives the model', async () => {
    const [file, set] = ['build/scripted-eval.js', 'evals/weather.evalset.json'].map((path) =>
      resolve('samples/guides', path),
    );

    const { output, code } = await project.adorn('eval', file ?? '', set ?? '', '--concurrency', '1');

    expect(output).toMatch(
      / {2}passed {3}asks for one city .*\n {2}passed {3}greets without a tool .*\n\n2 passed, 0 failed\n$/,
    );
    expect(code).toBe(0);
  });

  it('plays the cases that are named, by metrics that are named', async () => {
    const { output, code } = await adornEval('--cases', 'oslo', '--metrics', 'response_match_score=0.5');

    expect(output).toContain('  passed   oslo  response_match_score 1.00 (≥ 0.5)\n');
    expect(output).toContain('1 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('reads the criteria beside the set, and prints JSON', async () => {
    const criteria = { response_match_score: { threshold: 0 } };
    await project.write('test_config.json', JSON.stringify({ criteria }));

    const { output, code } = await adornEval('--json');

    const [report] = JSON.parse(output) as [
      { evalSetId: string; caseResults: { finalEvalStatus: string }[] },
    ];
    expect(report.evalSetId).toBe('weather');
    expect(report.caseResults.map(({ finalEvalStatus }) => finalEvalStatus)).toEqual(['passed', 'passed']);
    expect(code).toBe(0);
  });

  it('fails by a gate whatever the scores are, and not by a few scores', async () => {
    const gate = await adornEval('--pass-rate', '0.5', '--gates', 'no_double_effect,max_tool_calls=0');

    expect(gate.output).toContain('FAILED   oslo');
    expect(gate.output).toContain('no_double_effect 0 (≤ 0)  max_tool_calls 1 (> 0)');
    expect(gate.code).toBe(1);
    expect((await adornEval('--pass-rate', '0.5', '--gates', 'max_tool_calls=1')).code).toBe(0);
  });

  it('reads gates beside the criteria of a set', async () => {
    const config = { criteria: { response_match_score: 0 }, gates: { max_tool_calls: 0 } };
    await project.write('test_config.json', JSON.stringify(config));

    expect((await adornEval()).output).toContain('response_match_score 1.00 (≥ 0)  max_tool_calls 1 (> 0)');
    expect((await adornEval('--gates', 'max_tool_calls=1')).code).toBe(0);
  });

  it('writes reports, and results behind which it goes on', async () => {
    const files = ['--html', 'report.html', '--junit', 'report.xml', '--results', 'results.jsonl'];
    const first = await adornEval(...files);
    const second = await adornEval(...files);

    expect(first.output).toContain('FAILED   bergen');
    expect(second.output).not.toContain('FAILED   bergen');
    expect(second.output).toContain('1 passed, 1 failed');
    expect(await project.read('report.html')).toContain('1 of 2 playings passed');
    expect(await project.read('report.xml')).toContain('tests="2" failures="1"');
  });

  it('compares with a baseline', async () => {
    const { output } = await adornEval('--json');
    await project.write('before.json', output);

    const compared = await adornEval('--baseline', 'before.json');

    expect(compared.output).toContain(
      'Compared with the baseline, weather: unclear, by 2 pairs\n  unclear  passed  0.500 → 0.500',
    );
  });
});

const LIBRARY = `
import { ContainerModule, defineAgent, inject, tool } from 'adorn';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
class Shelf { lent = false; }
class Books {
  constructor(shelf) { this.shelf = shelf; }
  lend() {
    if (this.shelf.lent) throw new Error('It is lent already.');
    this.shelf.lent = true;
    return 'lent';
  }
}
tool({ description: 'Lends.', parameters: {} })(Books.prototype, 'lend', Object.getOwnPropertyDescriptor(Books.prototype, 'lend'));
inject(Shelf)(Books, undefined, 0);
export const modules = [new ContainerModule(({ bind }) => { bind(Shelf).toSelf().inSingletonScope(); })];
export default defineAgent({ name: 'library', tools: [Books] });
`;

it('adorn eval gives each case of an agent new services, so that nothing of one case is left in memory for the next', async () => {
  const project = await Project.create({
    'app.js': LIBRARY,
    'loans.evalset.json': JSON.stringify({
      eval_set_id: 'loans',
      eval_cases: [
        {
          eval_id: 'dune',
          conversation: [
            {
              user_content: { parts: [{ text: 'Lend {}' }], role: 'user' },
              intermediate_data: { tool_uses: [{ name: 'lend', args: {} }] },
            },
          ],
        },
      ],
    }),
  });

  const options = ['--model', 'offline', '--runs', '3', '--gates', 'max_tool_error_rate=0'];
  const { output } = await project.adorn('eval', 'app.js', 'loans.evalset.json', ...options);
  await project.remove();

  expect(output).toContain('3 passed, 0 failed');
  expect(output.match(/^Model: offline/gm)).toHaveLength(1);
});

const APPROVERS_APP = `
import { defineAgent, FunctionTool } from 'adorn';
const look = (name, approvers) => new FunctionTool({
  name,
  description: 'Looks ' + name + '.',
  approvers,
  parameters: { type: 'object', properties: {} },
  run: () => name,
});
const tools = [look('others', 'others'), look('managers', { role: 'manager', count: 2 }), look('myself', 'requester')];
export default defineAgent({ name: 'desk', instruction: 'Be brief.', tools });
`;

describe('adorn eval of calls that somebody has to approve', () => {
  let project: Project;
  beforeAll(async () => {
    const eval_cases = ['others', 'managers', 'myself'].map((name) => ({
      eval_id: name,
      conversation: [
        {
          user_content: { parts: [{ text: `Looks ${name} {}` }], role: 'user' },
          intermediate_data: { tool_uses: [{ name, args: {} }] },
        },
      ],
    }));
    const set = JSON.stringify({ eval_set_id: 'approvals', eval_cases });
    project = await Project.create({ 'app.js': APPROVERS_APP, 'approvals.evalset.json': set });
  });
  afterAll(() => project.remove());

  const adornEval = (...args: string[]) =>
    project.adornInTurn(
      'eval',
      'app.js',
      'approvals.evalset.json',
      '--model',
      'offline',
      '--approve',
      ...args,
    );

  it('approves as the people that are named, each once, and as whom the rule wants', async () => {
    const { output } = await adornEval(
      '--by',
      'mia',
      '--by',
      'max',
      '--role',
      'manager',
      '--cases',
      'others,managers',
    );

    expect(output).toContain('2 passed, 0 failed');
  });

  it('names whom the rule wants, if the user of the session may not approve', async () => {
    const { output } = await adornEval();

    expect(output).toContain('1 passed, 0 failed, 2 with an error');
    expect(output).toContain(
      'eval_user, who asks, may not approve managers: its approvers are {"role":"manager","count":2}.',
    );
    expect(output).toContain('Say who approves, such as --by mia --by max --role manager.');
    expect(output).toContain('Say who approves, such as --by mia.');
  });

  it('names whom the rule wants, if too few are named', async () => {
    const { output } = await adornEval('--by', 'mia', '--role', 'manager', '--cases', 'managers');

    expect(output).toContain('None of mia may approve managers: its approvers');
  });
});

describe('adorn eval with options that cannot be used', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(FILES);
  });
  afterAll(() => project.remove());

  it.each([
    [['--gates', 'no_doubles'], 'Did you mean no_double_effect?'],
    [['--gates', 'max_tool_calls=x'], '--gates has "max_tool_calls=x". Pass names'],
    [['--pass-rate', '2'], '--pass-rate is "2". Pass a number from 0 to 1.'],
    [['--baseline', 'app.js'], 'The baseline app.js cannot be read as JSON.'],
    [['--baseline', 'package.json'], 'The baseline package.json'],
    [['--metrics', 'wisdom=1'], 'EVAL_CONFIG_INVALID'],
    [
      ['--metrics', 'response_match_score'],
      '--metrics has "response_match_score". Pass names with thresholds',
    ],
    [['--metrics', 'a=1', '--config', 'b.json'], '--metrics <list> and --config <file> exclude each other.'],
    [['--config', 'none.json'], 'none.json cannot be read as JSON. Write { "criteria"'],
    [['--cases', 'rome'], 'it has no case "rome", but oslo, bergen'],
    [['--by', 'mia'], '--by says who approves. Pass --approve, too.'],
    [['--approve', '--role', 'lead'], '--role and --tenant are those of a person. Pass --by, too.'],
    [['--runs', '0'], '--runs is "0". Pass a whole number from 1'],
  ])('refuses %j, and plays nothing', async (args, message) => {
    const { output, errors, code } = await project.adornInTurn('eval', ...EVALUATED, ...args);

    expect(errors).toContain(message);
    expect(output).not.toContain('passed');
    expect(code).not.toBe(0);
    expect(await readdir(project.folder)).toEqual(['app.js', 'package.json', 'weather.evalset.json']);
  });
});

function caseOf(id: string, answer: string, at: string): object {
  return {
    eval_id: id,
    conversation: [
      {
        user_content: { parts: [{ text: `How is ${id}?` }], role: 'user' },
        final_response: { parts: [{ text: answer }], role: 'model' },
        intermediate_data: { tool_uses: [{ name: 'look', args: { at } }], intermediate_responses: [] },
      },
    ],
  };
}
