module.exports = globalThis.adornKept('fast-check');
