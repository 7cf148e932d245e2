import { runInNewContext } from 'node:vm';

import { withInsertions, withoutInsertions } from './insertion.js';
import { recordMember } from './record-literal.js';

const RECORD = {
  name: 'Orders',
  description: 'Ends /* adorn:derived end */ early, \u2028 and has "__proto__": in it.',
  tools: {},
};

describe('an insertion', () => {
  it('is found again and taken out, whatever stands in it', () => {
    const plain = 'class One {}\nclass Two {}\n';
    const text = recordMember(RECORD, {});

    const inserted = withInsertions(plain, [
      { position: plain.indexOf('}'), text },
      { position: plain.lastIndexOf('}'), text },
    ]);

    expect(withoutInsertions(inserted)).toBe(plain);
    expect(runInNewContext(`${inserted}[One, Two].map((one) => one[Symbol.for('adorn:derived')])`)).toEqual([
      RECORD,
      RECORD,
    ]);
  });

  it('stands on the line of what it is put before', () => {
    const plain = 'class One {\n}\nclass Two {\n}';

    const inserted = withInsertions(plain, [
      { position: plain.indexOf('}'), text: recordMember(RECORD, {}) },
    ]);

    expect(inserted.split('\n').map((line) => line.slice(0, 9))).toEqual([
      'class One',
      '/* adorn:',
      'class Two',
      '}',
    ]);
  });

  it.each(['count = 1 ', 'count = 1 // one\n', 'static ', 'get\n', 'run() {}'])(
    'follows the member "%s", however it ends',
    (member) => {
      const plain = `class One { ${member}}`;

      const inserted = withInsertions(plain, [
        { position: plain.lastIndexOf('}'), text: recordMember(RECORD, {}) },
      ]);

      expect(runInNewContext(`${inserted}; One[Symbol.for('adorn:derived')].name`)).toBe('Orders');
    },
  );
});
