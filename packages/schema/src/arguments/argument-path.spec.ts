import { argumentPath } from './describe-problems.js';

describe('argumentPath', () => {
  it.each([
    [[], 'the arguments'],
    [['order', 'id'], 'order.id'],
    [['items', 10, 'id'], 'items[10].id'],
    [['rows', '0', '12'], 'rows[0][12]'],
    [['lines', 'line1', '2nd'], 'lines.line1.2nd'],
  ])('of %j is %s', (steps, path) => {
    expect(argumentPath(steps)).toBe(path);
  });
});
