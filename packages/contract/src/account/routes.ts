/**
 * The dashboard's API, below ACCOUNT_BASE. Bodies are JSON objects, even if empty. All requests except GET requests and
 * the two for signing in need the header X-CSRF-Token. There are no CORS headers, so other origins cannot call it.
 */
export const ACCOUNT_BASE = '/dashboard/api';

export const ACCOUNT_ROUTES = {
  /** -> Site. Public. */
  site: 'GET /site',
  /** {} -> Challenge, and a cookie that binds it to this browser. */
  challenge: 'POST /auth/challenge',
  /** Login, with `Authorization: Nostr <base64 of the event>` -> Account, and the session cookie. */
  login: 'POST /auth/login',
  /** -> Account. */
  account: 'GET /account',
  /** AccountChange -> Account */
  changeAccount: 'PATCH /account',
  /** {} -> {} */
  signOut: 'POST /account/sign-out',
  /**
   * ClaimOperator -> Account, which is an operator from then on. Only from the machine of the service, with the code that
   * the service printed when it started, and only while it has no operator.
   */
  claimOperator: 'POST /account/operator',
  /** Ends another browser's session. -> {} */
  revokeSession: 'DELETE /account/sessions/:sessionId',

  /** -> NoticeList, the user's own notices. They are kept for 90 days. */
  notices: 'GET /notices',
  /** ReadNotices -> {} */
  readNotices: 'POST /notices/read',

  /** -> MemberUploads, the user's own. Only for members. */
  uploads: 'GET /uploads',
  /** The bytes of a GIF or WebP, with Content-Type: application/octet-stream -> MemberUpload. Only for members. */
  uploadOwn: 'POST /uploads/files/:name',
  /** -> a file of the user as an image that does not move. Only for members, and only if it was not refused. */
  ownPicture: 'GET /uploads/files/:sha256/picture',
  /** Deletes a file of the user. -> {} */
  deleteOwn: 'DELETE /uploads/files/:sha256',

  /** -> ClientList, the account's own clients. */
  clients: 'GET /clients',
  /** NewClient -> Client */
  createClient: 'POST /clients',
  /** -> Client */
  client: 'GET /clients/:clientId',
  /** ClientChange -> Client */
  changeClient: 'PATCH /clients/:clientId',
  /** AcceptTerms -> Client. Accepts changed terms, without a fee. The client also works before it accepts them. */
  acceptTerms: 'POST /clients/:clientId/terms',
  /** DeleteClient -> {} */
  deleteClient: 'DELETE /clients/:clientId',
  /** -> Usage of the last 30 days */
  usage: 'GET /clients/:clientId/usage',
  /**
   * {} -> Invoice: the open invoice if it is valid for at least two more minutes, otherwise a new invoice. Refused as
   * `conflict` while an operator has to decide about an unproven or disproven order of the client.
   */
  createInvoice: 'POST /clients/:clientId/invoice',
  /** -> Invoice: the unproven or disproven invoice if there is one, otherwise the latest invoice. */
  invoice: 'GET /clients/:clientId/invoice',
  /** NewOrigin -> Client. Immediately checks whether the origin's domain names an owner. */
  addOrigin: 'POST /clients/:clientId/origins',
  /** -> Client */
  removeOrigin: 'DELETE /clients/:clientId/origins/:originId',
  /** NewKey -> CreatedKey */
  createKey: 'POST /clients/:clientId/keys',
  /** RotateKey -> CreatedKey, with the name of the old key, which expires after some days. */
  rotateKey: 'POST /clients/:clientId/keys/:keyId/rotation',
  /** -> Client */
  revokeKey: 'DELETE /clients/:clientId/keys/:keyId',
  /** NewUserAgent -> Client */
  addUserAgent: 'POST /clients/:clientId/user-agents',
  /** -> Client */
  removeUserAgent: 'DELETE /clients/:clientId/user-agents/:userAgentId',
  /** NewOwner -> Client, whose requests include the invitation */
  inviteOwner: 'POST /clients/:clientId/owners',
  /** -> Client, or {} if the owner removed itself. */
  removeOwner: 'DELETE /clients/:clientId/owners/:ownerId',
  /** {} -> Client. Checks again whether the origin's domain names an owner. */
  proveAgain: 'POST /clients/:clientId/requests/:requestId/proof',
  /** -> Client */
  withdrawRequest: 'DELETE /clients/:clientId/requests/:requestId',
  /** {} -> ClientList */
  acceptInvitation: 'POST /invitations/:requestId/accept',
  /** {} -> ClientList */
  declineInvitation: 'POST /invitations/:requestId/decline',
  /**
   * NewOrigin -> ClientList. Requests to take over the client that has this origin, whose domain must name the user. An
   * operator decides.
   */
  requestHandover: 'POST /handovers',
  /** -> ClientList */
  withdrawHandover: 'DELETE /handovers/:handoverId',

  /** This route and all routes below are only for operators. -> ReviewQueue */
  review: 'GET /review',
  /** {} -> ReviewQueue */
  approve: 'POST /review/requests/:requestId/approve',
  /** Reason -> ReviewQueue */
  reject: 'POST /review/requests/:requestId/reject',
  /** -> HandoverList, the requests to take over a client, oldest first */
  handovers: 'GET /review/handovers',
  /**
   * Reason -> HandoverList. Checks again whether the domain names the person, who is then the only owner of the client.
   */
  approveHandover: 'POST /review/handovers/:handoverId/approve',
  /** Reason -> HandoverList */
  rejectHandover: 'POST /review/handovers/:handoverId/reject',
  /** -> Waiting, the numbers of things that wait for an operator */
  waiting: 'GET /review/waiting',
  /** ?q=a name, id, npub or origin&after=`next` of the previous page -> FoundClients. Without q, all clients. */
  findClients: 'GET /review/clients',
  /** -> Client */
  reviewedClient: 'GET /review/clients/:clientId',
  /** Reason -> Client */
  suspend: 'POST /review/clients/:clientId/suspend',
  /** {} -> Client. Approves a suspended or unpaid client. */
  letIn: 'POST /review/clients/:clientId/approve',
  /** ClientLimit -> Client */
  setLimit: 'POST /review/clients/:clientId/limit',
  /**
   * ?client=id or part of a name&action=part of an action&actor=npub or pubkey in hex, or a part&before=id of an entry
   * -> AuditTrail, 50 entries per page. Missing or empty parameters do not filter.
   */
  audit: 'GET /review/audit',
  /**
   * ?list=reported, doubtful, withheld, uploaded or hidden&order=oldest or most&after=`next` of the previous page ->
   * ModerationQueue. Only reported GIFs have an order; without it, the oldest report comes first.
   */
  moderation: 'GET /review/gifs',
  /** -> ModeratedGif */
  moderatedGif: 'GET /review/gifs/:gifId',
  /** ?still -> the GIF as an image, hidden or not. With `still`, it does not move. */
  moderatedPicture: 'GET /review/gifs/:gifId/picture',
  /** GifAct -> ModeratedGif */
  moderate: 'POST /review/gifs/:gifId/moves',
  /** ?before=id of a move -> GifMoves of all GIFs, latest first, 50 per page. */
  moves: 'GET /review/moves',
  /** {} -> ModeratedGif */
  undoMove: 'POST /review/moves/:moveId/undo',
  /** CatalogueQuery -> CataloguePage, the newest first. The best matches of the search come first if there are words. */
  catalogue: 'GET /review/catalogue',
  /** ?q=id, URL or hash of a file -> GifExplanation */
  explainGif: 'GET /review/catalogue/why',
  /** GifsAct -> GifsOutcome. At most 100 GIFs. Each change is recorded as an action of its own. */
  moderateMany: 'POST /review/moves/many',
  /** UndoMoves -> GifsOutcome */
  undoMany: 'POST /review/moves/undo',
  /** The bytes of a GIF or WebP, with Content-Type: application/octet-stream -> UploadedFile */
  uploadFile: 'POST /review/uploads/:batch/files/:name',
  /** NewAddress -> UploadedFile. Downloads the file. */
  uploadAddress: 'POST /review/uploads/:batch/addresses',
  /** ?before=id of an import -> ImportList */
  imports: 'GET /review/imports',
  /** NewImport -> ImportDetails */
  startImport: 'POST /review/imports',
  /** -> ImportDetails */
  import: 'GET /review/imports/:importId',
  /** {} -> ImportDetails. Files that are being processed are finished, but no further files are begun. */
  pauseImport: 'POST /review/imports/:importId/pause',
  /** {} -> ImportDetails. Continues a paused import. */
  continueImport: 'POST /review/imports/:importId/continue',
  /** {} -> ImportDetails of the new import. Adds the same sources again. */
  retryImport: 'POST /review/imports/:importId/retry',
  /** -> Overview */
  overview: 'GET /review/overview',
  /** ?span=day or month -> History of the last 24 hours or 30 days */
  history: 'GET /review/history',
  /** -> BuildList */
  builds: 'GET /review/builds',
  /**
   * BuildName -> BuildList. All machines serve this build until it is released. GIFs that were hidden, rated adult or
   * changed after it was made are not shown, and new GIFs are not shown either.
   */
  holdBuild: 'POST /review/builds/hold',
  /** {} -> BuildList. The service goes on with new builds. */
  releaseBuild: 'POST /review/builds/release',
  /** -> BackupList */
  backups: 'GET /review/backups',
  /** {} -> BackupList. Starts a backup into a new folder of ZOETROPE_BACKUPS, unless one is being made. */
  makeBackup: 'POST /review/backups',
  /** -> HealthReport, the last findings of the doctor. If they are older than five minutes, the doctor starts. */
  health: 'GET /review/health',
  /** -> SettingList */
  settings: 'GET /review/settings',
  /** -> Sources */
  sources: 'GET /review/sources',
  /** -> SharedCatalogues. The numbers of GIFs can be a minute old. */
  sharedCatalogues: 'GET /review/sources/catalogues',
  /** -> MemberList */
  members: 'GET /review/sources/members',
  /** RelayUrl -> Sources. A running service begins to read the relay within seconds. */
  followRelay: 'POST /review/sources/relays',
  /** RelayUrl -> Sources. Stops following a relay, and keeps its GIFs. */
  leaveRelay: 'DELETE /review/sources/relays',
  /** MarksChange -> Sources. Ignores the adult marks of a person or on a GIF, or counts them again. */
  ignoreMarks: 'POST /review/sources/marks',
  /** -> Languages */
  languages: 'GET /review/languages',
  /** -> Languages. Searches stop using the dictionary within a second. */
  removeDictionary: 'DELETE /review/languages/:name',
  /** {} -> Languages. Starts the download of a model that the list names. */
  pullModel: 'POST /review/models/:name',
  /** -> Languages. Removes a downloaded model that is not in use. */
  removeModel: 'DELETE /review/models/:name',
  /** -> OddOrders */
  oddOrders: 'GET /review/orders',
  /** OrderNote -> OddOrders */
  noteOrder: 'POST /review/orders/:orderId/note',
  /** {} -> OddOrders. Accepts an unproven or unchecked order: the client is approved as if the payment was proven. */
  acceptOrder: 'POST /review/orders/:orderId/accept',
  /** {} -> OddOrders. Refuses an unproven, disproven or unchecked order, because the operator found no payment. */
  refuseOrder: 'POST /review/orders/:orderId/refuse',
} as const;
export type AccountRoute = keyof typeof ACCOUNT_ROUTES;
