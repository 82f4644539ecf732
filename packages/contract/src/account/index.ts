export {
  AcceptTerms,
  Client,
  ClientChange,
  ClientList,
  ClientState,
  ClientSummary,
  CreatedKey,
  DeleteClient,
  Invitation,
  NewClient,
  NewKey,
  NewOrigin,
  NewOwner,
  NewUserAgent,
  PendingRequest,
  ProofResult,
  Rejection,
  RotateKey,
  Usage,
  UsageDay,
} from './clients.ts';
export { KEY_DAYS } from './key-days.ts';
export {
  GifAct,
  type GifMove,
  GifMoves,
  ModeratedGif,
  ModerationList,
  ModerationQueue,
  ReportReason,
} from './moderation.ts';
export { Invoice, OrderState } from './payment.ts';
export { AuditTrail, FoundClients, OddOrders, OrderNote, Reason, ReviewItem, ReviewQueue } from './review.ts';
export { ACCOUNT_BASE, ACCOUNT_ROUTES, type AccountRoute } from './routes.ts';
export { Account, Challenge, Login, SessionInfo } from './session.ts';
export { Site } from './site.ts';
