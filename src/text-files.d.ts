/** Files that the build embeds as text, or as a path into the executable. */
declare module '*.sql' {
  const text: string;
  export default text;
}
