export {
  chooseMessages,
  countUnread,
  listNotices,
  type NewNotice,
  notify,
  notifyOfExpiry,
  notifyOwners,
  readNotices,
  wantsMessages,
} from './notices.ts';
