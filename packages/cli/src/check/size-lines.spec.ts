import type { ToolSize } from '@adorn/compiler';

import { sizeLines } from './report-as-text.js';

describe('the sizes of declarations', () => {
  it('have the labels of a tool beside its name', () => {
    const tools = [{ ...toolOf(undefined, 0), labels: ['confidential', 'outside'] as const }];

    const lines = sizeLines({ diagnostics: [], unchecked: [], silenced: 0, tools, agents: [], skills: [] });

    expect(lines[1]?.text).toContain('tool_0 [confidential, outside]  Orders.tool_0');
  });

  it.each([
    [10, undefined],
    [11, '     7  1 more tool'],
    [12, '    14  2 more tools'],
  ])('of %i tools are listed for ten, and summed up for the rest', (count, rest) => {
    const tools = Array.from({ length: count }, toolOf);

    const lines = sizeLines({ diagnostics: [], unchecked: [], silenced: 0, tools, agents: [], skills: [] });

    expect(lines.filter(({ text }) => text.includes('Orders.'))).toHaveLength(10);
    expect(lines.find(({ text }) => text.includes('more'))?.text).toBe(rest);
  });
});

function toolOf(_: unknown, index: number): ToolSize {
  const name = `tool_${String(index)}`;
  return { name, origin: `Orders.${name}`, file: 'orders.ts', line: index + 1, tokens: 7, labels: [] };
}
