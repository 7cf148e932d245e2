module.exports = globalThis.adornKept('ajv-formats');
