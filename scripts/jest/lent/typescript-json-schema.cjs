module.exports = globalThis.adornKept('typescript-json-schema');
