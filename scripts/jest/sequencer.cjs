const { readFileSync } = require('node:fs');

const Sequencer = require('@jest/test-sequencer').default;

// A first comment that has `@slow`.
const SLOW = /^\/\*\*[^/]*@slow\b/;

/**
 * Jest's order, with what takes ten seconds and more first: on a clean checkout no durations are known, and a long file
 * at the end would leave the other cores idle.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const ordered = super.sort(tests);
    const slow = new Set(ordered.filter(({ path }) => SLOW.test(readFileSync(path, 'utf8').slice(0, 200))));
    return [...slow, ...ordered.filter((test) => !slow.has(test))];
  }
};
