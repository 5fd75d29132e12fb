import { ApiError, type Details, type DocumentedError, type ErrorTable, textOf } from './errors.ts';

/** The errors that a service can return, by code. */
export class ServiceErrors<Errors extends ErrorTable> {
  constructor(private readonly table: ErrorTable) {}

  /** Returns the status of an error. */
  statusOf(code: keyof Errors & string): number {
    return this.table[code]?.status ?? 500;
  }

  /** Returns the text of an error without details: what happened, and what to do. */
  textOf(code: keyof Errors & string): string {
    return textOf(this.entryOf(code));
  }

  /** Returns an error with its code, as the documentation shows it. */
  entryOf(code: keyof Errors & string): DocumentedError {
    return { message: code, remedy: '', ...this.table[code], code };
  }

  /** Returns an error to throw, by its code. */
  error<Code extends keyof Errors & string>(code: Code, details: Details = {}): ApiError<Code> {
    return new ApiError(code, { message: this.textOf(code), ...details });
  }
}
