import { ApiError, type Details, type DocumentedError, type ErrorTable } from './errors.ts';

/** The errors that a service can answer with, by their codes. */
export class ServiceErrors<Errors extends ErrorTable> {
  constructor(private readonly table: ErrorTable) {}

  /** The status of an error. */
  statusOf(code: keyof Errors & string): number {
    return this.table[code]?.status ?? 500;
  }

  /** The sentence of an error, without more to say. */
  sentenceOf(code: keyof Errors & string): string {
    return this.table[code]?.message ?? code;
  }

  /** An error with its code, as the documentation shows it. */
  entryOf(code: keyof Errors & string): DocumentedError {
    return { message: code, ...this.table[code], code };
  }

  /** An error by its code. */
  error<Code extends keyof Errors & string>(code: Code, details: Details = {}): ApiError<Code> {
    return new ApiError(code, { message: this.sentenceOf(code), ...details });
  }
}
