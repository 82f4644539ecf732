import type { UploadedFile } from '@zoetrope/contract/account';
import { ApiError, changeHeaders, OFFLINE, placeOf, toError } from '../api.ts';
import { say } from '../words/operators.ts';

/** Makes the name of a batch. */
export function newBatch(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends a file. Rejects with ApiError. @param onProgress called with the sent share, from 0 to 1 */
export function sendFile(batch: string, file: File, onProgress: (share: number) => void): Promise<UploadedFile> {
  const { method, address } = placeOf('uploadFile', { path: { batch, name: file.name } });
  // `fetch` does not report the progress of what it sends.
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers<UploadedFile>();
  request.open(method, address);
  request.responseType = 'json';
  request.setRequestHeader('content-type', 'application/octet-stream');
  for (const [name, value] of Object.entries(changeHeaders())) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  request.onload = () => {
    if (request.status === 200) resolve(request.response as UploadedFile);
    else reject(toError(request, request.response));
  };
  request.onerror = () => reject(new ApiError(OFFLINE, say('uploadBroken')));
  request.send(file);
  return promise;
}
