export { PostgresServer, type PostgresServerOptions } from './postgres-server.js';
