export { authenticationResults, type SenderCheck } from './authentication-results.js';
export { email, type EmailOptions } from './email.js';
export { type MailDelivery, mailgunMail, rawMail } from './mail-delivery.js';
export type { MailHeader, ReceivedMail } from './received-mail.js';
