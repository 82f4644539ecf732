import { OperatorError, ServiceError } from '../../base/errors.ts';

/** Turns errors about an operator's mistake into responses. @throws ServiceError `validation` */
export async function forOperators<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new ServiceError('validation', error.message, { cause: error });
  }
}
