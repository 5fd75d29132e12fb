import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '../../../proof/encoding/json.ts';
import type { Call, ResultDetails } from './capture.ts';

/**
 * Keeps the arguments and results of calls on this machine: `<capture id>.json`, readable only for its owner.
 */
export class Keep {
  /** The writes of each call, one after the other. */
  private readonly writing = new Map<string, Promise<void>>();

  /** @param failed is called for what cannot be kept. It stops no call */
  constructor(
    private readonly directory: string,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Keeps what a call is. */
  begin(id: string, { scope, inputDigest, details }: Call): void {
    this.write(id, { capture_id: id, scope, input_digest: inputDigest, ...details });
  }

  /** Keeps what a call is, and what it returned. */
  end(id: string, { scope, inputDigest, details }: Call, status: string, returned: ResultDetails): void {
    const { result, answerDigest } = returned;
    this.write(id, {
      ...{ capture_id: id, scope, input_digest: inputDigest, ...details, status },
      ...(result === undefined ? {} : { result }),
      ...(answerDigest === undefined ? {} : { answer_digest: answerDigest }),
    });
  }

  /** Resolves when everything so far is written. */
  async flushed(): Promise<void> {
    await Promise.all(this.writing.values());
  }

  private write(id: string, value: Record<string, JsonValue | undefined>): void {
    const before = this.writing.get(id) ?? Promise.resolve();
    const written: Promise<void> = before
      .then(() => this.writeFile(id, `${JSON.stringify(value, null, 2)}\n`))
      .catch(this.failed)
      .finally(() => {
        if (this.writing.get(id) === written) this.writing.delete(id);
      });
    this.writing.set(id, written);
  }

  private async writeFile(id: string, text: string): Promise<void> {
    const made = await mkdir(this.directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) await chmod(this.directory, 0o700);
    const path = join(this.directory, `${id}.json`);
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}
