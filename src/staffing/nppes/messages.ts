import type { ExitCode } from '../../platform/failure.ts';
import type { DisseminationFacts, DisseminationOptions, LostField } from './rows.ts';

/** What the Worker that parses is sent: first the file, then `next` for each batch that it may send. */
export type ToParser = { path: string; options: DisseminationOptions } | 'next';

/** What it sends: the facts, batches as texts of `batch-text.ts`, and the end or a failure. */
export type FromParser =
  | { kind: 'facts'; facts: DisseminationFacts }
  | { kind: 'batch'; text: string; lost: LostField[]; bytesRead: number }
  | { kind: 'end' }
  | { kind: 'failure'; message: string; hint: string | null; exitCode: ExitCode };
