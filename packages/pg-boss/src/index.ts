export { PgBossQueue, type PgBossQueueOptions } from './pg-boss.queue.js';
