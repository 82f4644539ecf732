export {
  CatalogueGif,
  CataloguePage,
  CatalogueQuery,
  GIFS_PER_ACT,
  GifExplanation,
  GifsAct,
  GifsOutcome,
  UndoMoves,
} from './catalogue.ts';
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
  OwnHandover,
  PendingRequest,
  ProofResult,
  Rejection,
  RotateKey,
  Usage,
  UsageDay,
  UsageWay,
} from './clients.ts';
export {
  BackupList,
  BuildList,
  BuildName,
  HealthReport,
  History,
  type HistoryPoint,
  Overview,
  SettingList,
  Span,
  Waiting,
} from './console.ts';
export {
  BATCH_PATTERN,
  ImportDetails,
  ImportList,
  type ImportRun,
  NewAddress,
  NewImport,
  UploadedFile,
} from './imports.ts';
export { KEY_DAYS } from './key-days.ts';
export { Languages } from './languages.ts';
export {
  GifAct,
  type GifMove,
  GifMoves,
  type LoggedMove,
  ModeratedGif,
  ModerationList,
  ModerationQueue,
  ReportOrder,
  ReportReason,
} from './moderation.ts';
export { Invoice, OrderState } from './payment.ts';
export {
  AuditTrail,
  ClientLimit,
  FoundClients,
  Handover,
  HandoverList,
  OddOrders,
  OrderNote,
  Reason,
  ReviewItem,
  ReviewQueue,
} from './review.ts';
export { ACCOUNT_BASE, ACCOUNT_ROUTES, type AccountRoute } from './routes.ts';
export {
  Account,
  AccountChange,
  Challenge,
  ClaimOperator,
  Login,
  Notice,
  NoticeList,
  ReadNotices,
  SessionInfo,
} from './session.ts';
export { Site } from './site.ts';
export { MarksChange, RelayUrl, SharedCatalogues, Sources } from './sources.ts';
export { MemberList, MemberUpload, MemberUploads, type UploadState } from './uploads.ts';
