export { TelemetryPlugin, type TelemetryOptions } from './telemetry.plugin.js';
