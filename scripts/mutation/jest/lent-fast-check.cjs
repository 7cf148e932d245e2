module.exports = globalThis.adornKeptFastCheck;
