module.exports = globalThis.adornKept('ajv/dist/2020.js');
