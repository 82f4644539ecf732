import { ServiceError } from '../../base/errors.ts';

/** Short names of the checks that a sign-in can fail. Pages distinguish the checks by these names. */
export type FailedCheck =
  | 'no_auth'
  | 'bad_kind'
  | 'bad_content'
  | 'stale'
  | 'bad_u'
  | 'bad_method'
  | 'bad_payload'
  | 'bad_sig'
  | 'bad_challenge'
  | 'wrong_browser'
  | 'replay';

export function refuseLogin(check: FailedCheck, why: string): ServiceError {
  return new ServiceError('login_refused', `${check}: ${why}`);
}
