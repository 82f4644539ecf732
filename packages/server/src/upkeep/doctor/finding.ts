/** Result of one check. */
export interface Finding {
  check: string;
  /**
   * well: there is no problem. note: the part works, but there is something that the operator should know. wrong: there
   * is a problem.
   */
  state: 'well' | 'note' | 'wrong';
  message: string;
  /** The affected items. */
  items: string[];
}

export interface Report {
  /** Whether there are no problems. */
  well: boolean;
  findings: Finding[];
}

export function well(check: string, message: string, items: string[] = []): Finding {
  return { check, state: 'well', message, items };
}

export function note(check: string, message: string, items: string[] = []): Finding {
  return { check, state: 'note', message, items };
}

export function wrong(check: string, message: string, items: string[] = []): Finding {
  return { check, state: 'wrong', message, items };
}
