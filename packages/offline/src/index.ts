export { OfflineModel, type OfflineModelOptions } from './offline.model.js';
