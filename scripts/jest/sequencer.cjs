const { readFileSync } = require('node:fs');

const Sequencer = require('@jest/test-sequencer').default;

// A first comment that has `@slow`, and perhaps `@waits`.
const SLOW = /^\/\*\*[^/]*@slow\b/;
const WAITS = /^\/\*\*[^/]*@waits\b/;

/**
 * Jest's order, with what takes ten seconds and more first: on a clean checkout no durations are known, and a long file
 * at the end would leave the other cores idle. Of those that mostly wait, only one begins at the start: two at a time would
 * leave a core idle, too.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const ordered = super.sort(tests);
    const heads = new Map(ordered.map((test) => [test, readFileSync(test.path, 'utf8').slice(0, 200)]));
    const slow = ordered.filter((test) => SLOW.test(heads.get(test)));
    const [firstToWait, ...othersToWait] = slow.filter((test) => WAITS.test(heads.get(test)));
    const working = slow.filter((test) => !WAITS.test(heads.get(test)));
    return [...new Set([firstToWait, ...working, ...othersToWait, ...ordered])].filter(Boolean);
  }
};
