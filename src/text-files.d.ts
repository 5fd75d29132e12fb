/** Files that the build embeds: as text, or as a path into the executable. */
declare module '*.sql' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.tsv' {
  const text: string;
  export default text;
}
declare module 'swagger-ui-dist/*' {
  const path: string;
  export default path;
}
