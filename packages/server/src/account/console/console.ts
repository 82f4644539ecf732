import type {
  GifExplanation,
  HealthReport,
  ImportDetails,
  ImportList,
  NewImport,
  Overview,
  SettingList,
  UploadedFile,
} from '@zoetrope/contract/account';

/** The functions that the dashboard needs from the rest of the service. Arguments and results can be cloned. */
export interface Console {
  overview(): Promise<Overview>;
  /** Returns the doctor's findings. They are at most five minutes old. */
  health(): Promise<HealthReport>;
  settings(): Promise<SettingList>;
  /** Returns a page of imports, latest first. @param before only imports before this one; 0 for the latest */
  imports(before: number): Promise<ImportList>;
  /** Rejects with ServiceError `not_found`. */
  findImport(id: number): Promise<ImportDetails>;
  /** Queues the files of a batch or of a path on this machine. Rejects with ServiceError `validation`. */
  startImport(wanted: NewImport): Promise<ImportDetails>;
  /** Queues the sources of an earlier import again. Rejects with ServiceError `not_found` or `validation`. */
  retryImport(id: number): Promise<ImportDetails>;
  /** Downloads a file into a batch. Rejects with ServiceError `validation`. */
  download(batch: string, url: string): Promise<UploadedFile>;
  /** Returns what is known about an id, URL or hash apart from the GIF itself. */
  explain(text: string): Promise<Pick<GifExplanation, 'refusals' | 'relay'>>;
}
