// A property that fails has noticed the mutant; no smaller example of it is looked for, which takes seconds.
const fastCheck = require('fast-check');

fastCheck.configureGlobal({ endOnFailure: true });

module.exports = fastCheck;
