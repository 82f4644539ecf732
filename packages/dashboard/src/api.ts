import {
  ACCOUNT_ROUTES,
  type Account,
  type AccountRoute,
  type AuditTrail,
  type BackupList,
  type BuildList,
  type CataloguePage,
  type Challenge,
  type Client,
  type ClientList,
  type CreatedKey,
  type FoundClients,
  type GifExplanation,
  type GifMoves,
  type GifsOutcome,
  type HandoverList,
  type HealthReport,
  type History,
  type ImportDetails,
  type ImportList,
  type Invoice,
  type Languages,
  type MemberList,
  type MemberUpload,
  type MemberUploads,
  type ModeratedGif,
  type ModerationQueue,
  type NoticeList,
  type OddOrders,
  type Overview,
  type ReviewQueue,
  type SettingList,
  type SharedCatalogues,
  type Site,
  type Sources,
  type UploadedFile,
  type Usage,
  type Waiting,
} from '@zoetrope/contract/account';
import { API } from './navigation.ts';
import { say } from './words/owners.ts';

/** The response type of each route. */
interface Answers {
  site: Site;
  challenge: Challenge;
  login: Account;
  account: Account;
  changeAccount: Account;
  signOut: object;
  claimOperator: Account;
  revokeSession: object;
  notices: NoticeList;
  readNotices: object;
  uploads: MemberUploads;
  uploadOwn: MemberUpload;
  ownPicture: never;
  deleteOwn: object;
  clients: ClientList;
  createClient: Client;
  client: Client;
  changeClient: Client;
  acceptTerms: Client;
  deleteClient: object;
  usage: Usage;
  createInvoice: Invoice;
  invoice: Invoice;
  addOrigin: Client;
  removeOrigin: Client;
  createKey: CreatedKey;
  rotateKey: CreatedKey;
  revokeKey: Client;
  addUserAgent: Client;
  removeUserAgent: Client;
  inviteOwner: Client;
  removeOwner: Client | Record<string, never>;
  proveAgain: Client;
  withdrawRequest: Client;
  acceptInvitation: ClientList;
  declineInvitation: ClientList;
  requestHandover: ClientList;
  withdrawHandover: ClientList;
  review: ReviewQueue;
  approve: ReviewQueue;
  reject: ReviewQueue;
  handovers: HandoverList;
  approveHandover: HandoverList;
  rejectHandover: HandoverList;
  waiting: Waiting;
  findClients: FoundClients;
  reviewedClient: Client;
  suspend: Client;
  letIn: Client;
  setLimit: Client;
  audit: AuditTrail;
  moderation: ModerationQueue;
  moderatedGif: ModeratedGif;
  moderatedPicture: never;
  moderate: ModeratedGif;
  moves: GifMoves;
  undoMove: ModeratedGif;
  catalogue: CataloguePage;
  explainGif: GifExplanation;
  moderateMany: GifsOutcome;
  undoMany: GifsOutcome;
  uploadFile: UploadedFile;
  uploadAddress: UploadedFile;
  imports: ImportList;
  startImport: ImportDetails;
  import: ImportDetails;
  pauseImport: ImportDetails;
  continueImport: ImportDetails;
  retryImport: ImportDetails;
  overview: Overview;
  health: HealthReport;
  history: History;
  builds: BuildList;
  holdBuild: BuildList;
  releaseBuild: BuildList;
  backups: BackupList;
  makeBackup: BackupList;
  settings: SettingList;
  sources: Sources;
  sharedCatalogues: SharedCatalogues;
  members: MemberList;
  followRelay: Sources;
  leaveRelay: Sources;
  ignoreMarks: Sources;
  languages: Languages;
  removeDictionary: Languages;
  pullModel: Languages;
  removeModel: Languages;
  oddOrders: OddOrders;
  noteOrder: OddOrders;
  acceptOrder: OddOrders;
  refuseOrder: OddOrders;
}

export interface Asking {
  /** Path parameters, keyed by name. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
  headers?: Readonly<Record<string, string>>;
}

/** Error code for a service that cannot be reached. */
export const OFFLINE = 'offline';

/** An error response, with a message for the user. */
export class ApiError extends Error {
  /** One of the contract's error codes, or OFFLINE. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The session's CSRF token. The service requires the token for every change. */
let csrf = '';

export function rememberCsrf(token: string): void {
  csrf = token;
}

/** Calls the dashboard's API. @throws ApiError */
export async function ask<Route extends AccountRoute>(route: Route, asking: Asking = {}): Promise<Answers[Route]> {
  const { body = {}, headers } = asking;
  const { method, address } = placeOf(route, asking);
  const change = { 'content-type': 'application/json', ...changeHeaders(), ...headers };
  return send(address, method === 'GET' ? {} : { method, headers: change, body: JSON.stringify(body) });
}

/** Sends a file to the dashboard's API. @throws ApiError */
export function askWithFile<Route extends AccountRoute>(
  route: Route,
  asking: Asking,
  file: Blob,
): Promise<Answers[Route]> {
  const { method, address } = placeOf(route, asking);
  return send(address, {
    method,
    headers: { 'content-type': 'application/octet-stream', ...changeHeaders() },
    body: file,
  });
}

async function send<Answer>(address: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(address, request).catch(() => {
    throw new ApiError(OFFLINE, say('offline'));
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toError(response, answer);
  return answer as Answer;
}

/** Returns the method and the URL of a request. */
export function placeOf(route: AccountRoute, { path = {}, query }: Asking): { method: string; address: string } {
  const [method, template] = ACCOUNT_ROUTES[route].split(' ') as [string, string];
  const filled = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name]!));
  return { method, address: `${API}${filled}${query ? `?${new URLSearchParams(query)}` : ''}` };
}

/** Returns the headers that every change needs. */
export function changeHeaders(): Record<string, string> {
  return { 'x-csrf-token': csrf };
}

export function toError(response: { status: number }, answer: unknown): ApiError {
  const { code, message } = (answer as { error?: { code?: string; message?: string } } | null)?.error ?? {};
  return new ApiError(code ?? 'internal', message ?? say('unexpected', { status: response.status }));
}
