export { countUnread, listNotices, type NewNotice, notifyOfExpiry, notifyOwners, readNotices } from './notices.ts';
