export {
  countUnread,
  listNotices,
  type NewNotice,
  notify,
  notifyOfExpiry,
  notifyOwners,
  readNotices,
} from './notices.ts';
