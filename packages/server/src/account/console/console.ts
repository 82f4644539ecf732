import type {
  BackupList,
  BuildList,
  GifExplanation,
  HealthReport,
  History,
  ImportDetails,
  ImportList,
  Languages,
  MarksChange,
  MemberList,
  MemberUpload,
  MemberUploads,
  NewImport,
  Overview,
  SettingList,
  SharedCatalogues,
  Sources,
  Span,
  UploadedFile,
} from '@zoetrope/contract/account';
import type { By } from '../../registry/index.ts';
import type { Upload, UploadPage, UsedAuthorisation } from '../../uploads/index.ts';

/** An upload that a member wants to make. */
export interface WantedUpload extends Pick<Upload, 'pubkey' | 'bytes'> {
  /** Undefined if the request does not contain the hash. */
  sha256: string | undefined;
  /** The signed event that allows the upload. Undefined for uploads in the dashboard, which the session allows. */
  authorisation: Authorisation | undefined;
}

/** A signed event that allows the uploads of some files. */
export interface Authorisation extends UsedAuthorisation {
  /** Hashes of the files. */
  hashes: readonly string[];
}

/** A file in the folder of its import. */
export interface NewUpload extends Omit<Upload, 'at'> {
  path: string;
  authorisation: Authorisation | undefined;
}

export interface WantedMirror extends Pick<Upload, 'pubkey'> {
  url: string;
  authorisation: Authorisation;
}

/** A file that its member wants to delete. */
export interface UnwantedFile extends Pick<Upload, 'pubkey' | 'sha256'> {
  /** Undefined in the dashboard, whose session allows it. */
  authorisation: Authorisation | undefined;
}

/** A part of a member's list of uploads. */
export interface WantedList extends Pick<Upload, 'pubkey'>, Pick<UploadPage, 'since' | 'until'> {
  /** Hash of the last file of the previous part; undefined for the first part. */
  cursor: string | undefined;
  limit: number;
}

/**
 * The functions that the dashboard needs from the rest of the service. Arguments and results can be cloned, so that
 * they can be sent to another thread.
 */
export interface Console {
  overview(): Promise<Overview>;
  /** Returns the doctor's last findings without waiting. Starts the doctor if they are older than five minutes. */
  health(): Promise<HealthReport>;
  /** Returns counts of searches per interval, of all processes. */
  history(span: Span): Promise<History>;
  /** Returns the builds on the disk. */
  builds(): Promise<BuildList>;
  /** Lets all machines serve a build of this machine until it is released. Rejects with ServiceError `validation`. */
  holdBuild(by: By, build: string): Promise<BuildList>;
  /** Lets all machines serve new builds again. Rejects with ServiceError `validation` if no build is held. */
  releaseBuild(by: By): Promise<BuildList>;
  /** Returns the backups that were made, and the attempts that failed. */
  backups(): Promise<BackupList>;
  /**
   * Starts a backup into a new folder of ZOETROPE_BACKUPS, and does not wait for its end. Rejects with ServiceError
   * `validation` or `conflict`.
   */
  makeBackup(by: By): Promise<BackupList>;
  settings(): Promise<SettingList>;
  /** Returns a page of imports, latest first. @param before only imports before this one; 0 for the latest */
  imports(before: number): Promise<ImportList>;
  /** Rejects with ServiceError `not_found`. */
  findImport(id: number): Promise<ImportDetails>;
  /** Queues the files of a batch or of a path on this machine. Rejects with ServiceError `validation`. */
  startImport(wanted: NewImport): Promise<ImportDetails>;
  /** Pauses or continues an import. Rejects with ServiceError `not_found` or `conflict`. */
  pauseImport(by: By, id: number, paused: boolean): Promise<ImportDetails>;
  /** Queues the sources of an earlier import again. Rejects with ServiceError `not_found` or `validation`. */
  retryImport(id: number): Promise<ImportDetails>;
  /** Downloads a file into a batch. Rejects with ServiceError `validation`. */
  download(batch: string, url: string): Promise<UploadedFile>;
  /**
   * Checks an upload before its file is sent. Returns null if the file can be sent, or the earlier upload if the
   * service already has the file. Rejects with ServiceError.
   */
  checkUpload(wanted: WantedUpload): Promise<MemberUpload | null>;
  /** Accepts a file that has arrived, or removes the file if it is not needed. Rejects like `checkUpload`. */
  takeUpload(file: NewUpload): Promise<MemberUpload>;
  /**
   * Downloads a file and accepts it as an upload. Rejects with the errors of `checkUpload`, and with `validation` if
   * the URL does not work.
   */
  mirrorUpload(file: WantedMirror): Promise<MemberUpload>;
  /** Returns the latest uploads of a member, and what is left of the quota. */
  uploadsOf(pubkey: string): Promise<MemberUploads>;
  /**
   * Returns the uploads of a member that were not refused, latest first. Rejects with ServiceError `validation` if the
   * member has not uploaded the file of the cursor.
   */
  listUploads(wanted: WantedList): Promise<MemberUpload[]>;
  /**
   * Withdraws a file of a member, and waits until the serving threads are notified. Rejects with ServiceError
   * `not_found`, `login_refused`, or `conflict` if others added the GIF, too, or the file has not been read yet.
   */
  deleteUpload(file: UnwantedFile): Promise<void>;
  /** Returns the members, and what each of them has uploaded. */
  members(): Promise<MemberList>;
  /** Returns the relays and the adult marks in their events. */
  sources(): Promise<Sources>;
  /** Returns the catalogue that this service publishes, and those that it follows. */
  sharedCatalogues(): Promise<SharedCatalogues>;
  /** Follows a relay. Rejects with ServiceError `validation` if the URL is invalid. */
  followRelay(by: By, url: string): Promise<Sources>;
  /** Stops following a relay. Rejects with ServiceError `validation` if the relay was not added. */
  leaveRelay(by: By, url: string): Promise<Sources>;
  /** Ignores the adult marks of a person or on a GIF, or counts them again. Rejects with ServiceError `validation`. */
  ignoreMarks(by: By, change: MarksChange): Promise<Sources>;
  /** Returns the models that can be used, and the dictionaries that were added. */
  languages(): Promise<Languages>;
  /** Rejects with ServiceError `validation` if no dictionary has this name. */
  removeDictionary(name: string): Promise<Languages>;
  /** Starts the download of a model. Rejects with ServiceError `validation` or, while another one runs, `conflict`. */
  pullModel(by: By, name: string): Promise<Languages>;
  /** Removes a model that is not in use. Rejects with ServiceError `validation` or `conflict`. */
  removeModel(by: By, name: string): Promise<Languages>;
  /** Whether somebody can become the first operator with the code that the service printed when it started. */
  canBeClaimed(): Promise<boolean>;
  /** Makes a user the first operator. Rejects with ServiceError `validation` or `conflict`. */
  claim(code: string, pubkey: string): Promise<void>;
  /** Returns what is known about an id, URL or hash apart from the GIF itself. */
  explain(text: string): Promise<Pick<GifExplanation, 'refusals' | 'relay'>>;
}
