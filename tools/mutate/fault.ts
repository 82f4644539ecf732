/** A mistake that somebody could make in the code, and the tests that should notice it. */
export interface Fault {
  id: string;
  /** Path in the repository. */
  file: string;
  /** Text that occurs exactly once in the file. */
  from: string;
  to: string;
  /** The function that no longer works. */
  breaks: string;
  /** Test files or folders of tests, as paths in the repository. */
  tests: readonly string[];
}
