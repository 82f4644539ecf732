/**
 * The dashboard's own API. Below ACCOUNT_BASE; bodies are JSON objects, also empty ones. Everything but GET wants
 * X-CSRF-Token, but for the two of signing in. No other origin may call it: it has no CORS headers.
 */
export const ACCOUNT_BASE = '/dashboard/api';

export const ACCOUNT_ROUTES = {
  /** -> Site, for everybody. */
  site: 'GET /site',
  /** {} -> Challenge, and a cookie that binds it to this browser. */
  challenge: 'POST /auth/challenge',
  /** Login, with `Authorization: Nostr <base64 of the event>` -> Account, and the cookie of the session. */
  login: 'POST /auth/login',
  /** -> Account. */
  account: 'GET /account',
  /** {} -> {} */
  signOut: 'POST /account/sign-out',
  /** Ends another browser's session. -> {} */
  revokeSession: 'DELETE /account/sessions/:sessionId',

  /** -> ClientList, of the account's own. */
  clients: 'GET /clients',
  /** NewClient -> Client */
  createClient: 'POST /clients',
  /** -> Client */
  client: 'GET /clients/:clientId',
  /** ClientChange -> Client */
  changeClient: 'PATCH /clients/:clientId',
  /** AcceptTerms -> Client. Terms that have changed are accepted again; nothing is paid, and nothing stops until then */
  acceptTerms: 'POST /clients/:clientId/terms',
  /** DeleteClient -> {} */
  deleteClient: 'DELETE /clients/:clientId',
  /** -> Usage of the last 30 days */
  usage: 'GET /clients/:clientId/usage',
  /** {} -> Invoice: the open one while it has two minutes left, else a new one */
  createInvoice: 'POST /clients/:clientId/invoice',
  /** -> Invoice, the latest */
  invoice: 'GET /clients/:clientId/invoice',
  /** NewOrigin -> Client; its domain is asked for a proof at once */
  addOrigin: 'POST /clients/:clientId/origins',
  /** -> Client */
  removeOrigin: 'DELETE /clients/:clientId/origins/:originId',
  /** NewKey -> CreatedKey */
  createKey: 'POST /clients/:clientId/keys',
  /** -> Client */
  revokeKey: 'DELETE /clients/:clientId/keys/:keyId',
  /** NewUserAgent -> Client */
  addUserAgent: 'POST /clients/:clientId/user-agents',
  /** -> Client */
  removeUserAgent: 'DELETE /clients/:clientId/user-agents/:userAgentId',
  /** NewOwner -> Client, with the invitation among its requests */
  inviteOwner: 'POST /clients/:clientId/owners',
  /** -> Client, or {} for who removed itself */
  removeOwner: 'DELETE /clients/:clientId/owners/:ownerId',
  /** {} -> Client: asks the domain of an origin again */
  proveAgain: 'POST /clients/:clientId/requests/:requestId/proof',
  /** -> Client */
  withdrawRequest: 'DELETE /clients/:clientId/requests/:requestId',
  /** {} -> ClientList */
  acceptInvitation: 'POST /invitations/:requestId/accept',
  /** {} -> ClientList */
  declineInvitation: 'POST /invitations/:requestId/decline',

  /** For operators, all of it. -> ReviewQueue */
  review: 'GET /review',
  /** {} -> ReviewQueue */
  approve: 'POST /review/requests/:requestId/approve',
  /** Reason -> ReviewQueue */
  reject: 'POST /review/requests/:requestId/reject',
  /** ?q=name, id, npub or origin -> FoundClients */
  findClients: 'GET /review/clients',
  /** -> Client */
  reviewedClient: 'GET /review/clients/:clientId',
  /** Reason -> Client */
  suspend: 'POST /review/clients/:clientId/suspend',
  /** {} -> Client: lets a suspended or unpaid client in */
  letIn: 'POST /review/clients/:clientId/approve',
  /**
   * ?client=id or a part of a name&actor=npub, pubkey in hex or a part of it&action=a part of it&before=id of an entry
   * -> AuditTrail, 50 at a time. What is left out or empty is not asked for.
   */
  audit: 'GET /review/audit',
  /** ?list=reported, doubtful, withheld or hidden&after=what the page before says -> ModerationQueue */
  moderation: 'GET /review/gifs',
  /** -> ModeratedGif */
  moderatedGif: 'GET /review/gifs/:gifId',
  /** The GIF as an image, hidden or not. */
  moderatedPicture: 'GET /review/gifs/:gifId/picture',
  /** GifAct -> ModeratedGif */
  moderate: 'POST /review/gifs/:gifId/moves',
  /** ?before=id of a move -> GifMoves: what was done to any GIF, the latest first, 50 at a time */
  moves: 'GET /review/moves',
  /** {} -> ModeratedGif */
  undoMove: 'POST /review/moves/:moveId/undo',
  /** -> OddOrders */
  oddOrders: 'GET /review/orders',
  /** OrderNote -> OddOrders */
  noteOrder: 'POST /review/orders/:orderId/note',
} as const;
export type AccountRoute = keyof typeof ACCOUNT_ROUTES;
