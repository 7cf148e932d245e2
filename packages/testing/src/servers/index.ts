export { freePort } from './free-port.js';
export { PostgresServer, type PostgresServerOptions } from './postgres-server.js';
export { RestateServer } from './restate-server.js';
