module.exports = globalThis.adornKept('ajv/dist/2019.js');
