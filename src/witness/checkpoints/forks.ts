import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { writeSecretFile } from '../../platform/files/write.ts';
import { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import { encodeBase64 } from '../../proof/encoding/base64.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import type { Checkpoint } from '../../proof/log/checkpoint.ts';

/** A request that was refused, and the checkpoint that had been cosigned before. */
interface Evidence {
  oldSize: number;
  proof: readonly Uint8Array[];
  submitted: Uint8Array;
  /** The cosigned note; null when there was none. */
  known: string | null;
}

/**
 * The maximum number of files per log. Anyone who has a signed checkpoint can submit it with a wrong proof,
 * so the limit for suspicions is low and separate: they can fill neither the disk nor the quota of proven
 * forks, which only the log can cause.
 */
const MAX_FORKS = 1000;
const MAX_SUSPICIOUS = 100;

/** Stores evidence against logs: signed checkpoints that are, or may be, inconsistent with a cosigned one. */
export class Forks {
  private readonly failures: LimitedLog;

  constructor(
    private readonly directory: string,
    log: Logger,
  ) {
    this.failures = new LimitedLog(log);
  }

  /**
   * Writes both notes to a file, at most once for each submitted tree. A failure is only logged.
   *
   * @param isProof whether the two notes by themselves prove that the log has forked
   * @returns the file's name; null when nothing was written
   */
  keep({ origin, size, root }: Checkpoint, evidence: Evidence, isProof: boolean): string | null {
    const kind = isProof ? 'fork' : 'suspicious';
    const start = `${kind}-${sha256Hex(origin).slice(0, 16)}-`;
    const name = `${start}${size}-${bytesToHex(root).slice(0, 32)}.txt`;
    const path = join(this.directory, name);
    try {
      if (existsSync(path)) return null;
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      const savedFiles = readdirSync(this.directory).filter((other) => other.startsWith(start));
      if (savedFiles.length >= (isProof ? MAX_FORKS : MAX_SUSPICIOUS)) return null;
      writeSecretFile(path, textOf(evidence));
      return name;
    } catch (err) {
      // The request is refused whether or not the evidence is saved.
      this.failures.error(err, { origin }, 'could not save evidence against a log');
      return null;
    }
  }
}

/** Formats the file's text: the cosigned note, then the request exactly as received. */
function textOf({ oldSize, proof, submitted, known }: Evidence): string {
  const request = [`old ${oldSize}`, ...proof.map(encodeBase64), '', ''].join('\n');
  return [
    'Cosigned before:\n',
    known ?? '(nothing)\n',
    'Submitted afterwards:\n',
    `${request}${Buffer.from(submitted).toString('utf8')}`,
  ].join('\n');
}
