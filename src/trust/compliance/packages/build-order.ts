import type { LogName } from '../../../proof/log/log-names.ts';
import type { PackageKind } from '../../../proof/package/format.ts';
import type { LogRow } from '../../log/logs.ts';
import type { BuildRequest } from './builder.ts';

/**
 * A log with the checkpoint that a package cites of it. Published before the Worker opens its snapshot, which
 * then has all its leaves.
 */
export interface CitableLog {
  log: LogRow;
  treeSize: number;
  /** 64 lower-case hexadecimal characters. */
  rootHash: string;
  note: string;
}

/** The work of the Worker: one package. */
export interface BuildOrder extends BuildRequest {
  kind: PackageKind;
  packageId: string;
  /** The DID of the service. */
  issuer: string;
  logs: Readonly<Record<LogName, CitableLog>>;
}

/** The first message to a Worker: the database file to read. */
export interface OpenMessage {
  file: string;
}

/** A package that only lacks its signature. */
export interface BuiltPackage {
  /**
   * The canonical JSON text in three parts. The string of `kid` belongs between the first two, that of
   * `signature` between the last.
   */
  parts: readonly [beforeKid: string, beforeSignature: string, end: string];
  /** `signedObjectDigest` of the package. */
  digest: string;
  /** The logs whose checkpoints it cites. */
  cited: readonly LogName[];
}

/** The response of the Worker to an order. `built` is null if nothing is known of the subject. */
export type BuildReport =
  | { built: BuiltPackage | null }
  | { damage: { log: LogName; reason: string } }
  | { failure: string };
