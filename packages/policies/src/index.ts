export { toolPolicies } from './tool-policies.module.js';
