export { keepSendingMessages, readSecretKey, senderOf } from './messages.ts';
