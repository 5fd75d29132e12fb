/** The part of negotiator 1 that is used: its published types lack `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string>> });
    /** The best coding for Accept-Encoding; of equal ones the first of `preferred`. */
    encoding(available: string[], options: { preferred: string[] }): string | undefined;
  }
}
