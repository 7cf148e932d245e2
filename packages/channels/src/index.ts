export type { Endpoint, EndpointHost, MessageFleet, RawRequest } from './endpoint.js';
export { ChannelFailedError, DeliveryRefusedError } from './errors.js';
export {
  type DeliveryCheck,
  hmac,
  type HmacOptions,
  standardWebhooks,
  type StandardWebhooksOptions,
} from './signatures.js';
export { type Delivery, trigger, type TriggeredRun, type TriggerOptions } from './trigger.js';
export type {
  Channel,
  ChannelAnswer,
  ChannelMessage,
  ChannelPerson,
  ChannelResponse,
  IgnoredRequest,
  Inbound,
  MessageReference,
  OutgoingMessage,
  Thread,
} from './channel.js';
export { ChannelDoor, type ChannelOptions } from './channel-door.js';
export { slack, type SlackOptions } from './slack.js';
