module.exports = globalThis.adornKept('ajv');
