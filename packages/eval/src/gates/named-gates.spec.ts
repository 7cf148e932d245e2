import { parseEvalConfig, parseEvalGates } from '../eval-config.js';
import { GATE_DESCRIPTIONS, gatesOf } from './named-gates.js';

describe('gates by their names', () => {
  it('are those of a file or a command line', () => {
    const gates = gatesOf({
      no_double_effect: true,
      no_unapproved_call: false,
      max_tool_calls: 5,
      max_tool_error_rate: { rate: 0.1 },
    });

    expect(gates.map(({ name, limit }) => [name, limit])).toEqual([
      ['no_double_effect', undefined],
      ['max_tool_calls', 5],
      ['max_tool_error_rate', 0.1],
    ]);
    expect(Object.keys(GATE_DESCRIPTIONS)).toHaveLength(7);
  });

  it('stand beside the criteria of a config', () => {
    const config = { criteria: { response_match_score: 0.5 }, gates: { max_tool_calls: 5 } };
    expect(parseEvalConfig(config)).toEqual({ response_match_score: 0.5 });
    expect(parseEvalGates(config).map(({ name }) => name)).toEqual(['max_tool_calls']);
    expect(parseEvalGates({ criteria: {} })).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a name that does not exist', { no_double_efect: true }, 'Did you mean no_double_effect?'],
    ['a limit without a number', { max_tool_calls: true }, 'Write a number, or its options.'],
    ['a number without a limit', { no_double_effect: 3 }, 'Write true, or its options.'],
    ['a misspelt option', { max_tool_calls: { call: 3 } }, 'there is no option call'],
    ['null', { max_tool_calls: null }, 'its value is null'],
  ])('are refused with %s', (_what, criteria, message) => {
    expect(() => gatesOf(criteria as never)).toThrow(message);
  });
});
