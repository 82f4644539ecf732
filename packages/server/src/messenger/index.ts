export { keepSendingMessages, senderOf } from './messages.ts';
