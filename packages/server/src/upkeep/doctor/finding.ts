/** What one check found. */
export interface Finding {
  check: string;
  /** Note: it works, and the operator should know. */
  state: 'well' | 'note' | 'wrong';
  message: string;
  /** What it is about, one by one. */
  items: string[];
}

export interface Report {
  /** Whether nothing is wrong. */
  well: boolean;
  findings: Finding[];
}

export function well(check: string, message: string): Finding {
  return { check, state: 'well', message, items: [] };
}

export function note(check: string, message: string, items: string[] = []): Finding {
  return { check, state: 'note', message, items };
}

export function wrong(check: string, message: string, items: string[] = []): Finding {
  return { check, state: 'wrong', message, items };
}
