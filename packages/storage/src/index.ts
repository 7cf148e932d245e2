export { Database, type DatabaseOptions } from './database/database.js';
