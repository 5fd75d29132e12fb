import { Failure } from '../../../platform/failure.ts';
import { isUrl } from '../../../platform/network/fetch.ts';
import { OPERATOR_ID } from '../../../proof/receipt/receipt-shape.ts';

/** The options of `verify --complete`. */
export interface CompleteOptions {
  operator: string;
  /** A directory or a URL. */
  log: string;
  policy: string;
  keys: string;
  logKey?: string[];
  anyLog?: boolean;
  allowUnlinked?: boolean;
}

/** The options of the command line that concern completeness. */
export interface AskedOfAccount {
  complete?: boolean;
  operator?: string;
  log?: string;
  allowUnlinked?: boolean;
  linked?: boolean;
  policy?: string;
  keys?: string | undefined;
  logKey?: string[];
  anyLog?: boolean;
}

const USELESS = ['proof', 'status', 'revocations', 'domain', 'at', 'linked', 'entry'] as const;

/**
 * Returns the options of `--complete`; null without it. Without --keys, those of the service at --log are trusted.
 * @throws Failure for options that are missing, or that make no sense
 */
export function completeOptions(
  asked: AskedOfAccount & Partial<Record<(typeof USELESS)[number], unknown>>,
): CompleteOptions | null {
  if (asked.complete !== true) {
    const only = { operator: asked.operator, 'allow-unlinked': asked.allowUnlinked };
    const [name] = Object.entries(only).find(([, value]) => value !== undefined) ?? [];
    if (name !== undefined)
      throw new Failure(`--${name} is for --complete`, `add --complete, or omit --${name}`, 2);
    return null;
  }
  const useless = USELESS.find((option) => asked[option] !== undefined);
  if (useless !== undefined)
    throw new Failure(`--${useless} makes no sense with --complete`, `omit --${useless}`, 2);
  const { operator, log, policy, logKey, anyLog, allowUnlinked } = asked;
  if (operator === undefined) throw missing('operator', 'the id of the operator whose receipts they are');
  if (log === undefined)
    throw missing('log', 'the URL of the service, or a directory with a copy of the logs');
  if (policy === undefined) throw missing('policy', 'the witnesses that must have cosigned the log');
  if (!OPERATOR_ID.test(operator))
    throw new Failure(
      `${JSON.stringify(operator)} is not the id of an operator`,
      'it is op_cus_ and 24 letters and digits',
      2,
    );
  const keys = asked.keys ?? (isUrl(log) ? new URL('/', log).href : null);
  if (keys === null) throw missing('keys', 'a saved response of /api/v1/transparency/keys');
  return {
    operator,
    log,
    policy,
    keys,
    ...(logKey && { logKey }),
    ...(anyLog && { anyLog }),
    ...(allowUnlinked && { allowUnlinked }),
  };
}

/** The options of `verify --linked`. */
export interface LinkedOptions {
  keys: string;
  /** A public manifest, or the URL of the service. */
  proof: string;
  logKey?: string[];
  anyLog?: boolean;
  policy?: string;
}

const OF_LINKED = ['status', 'revocations', 'domain', 'at', 'ndjson', 'log', 'entry'] as const;

/** Returns the options of `--linked`; null without it. @throws Failure for options that are missing, or that make no sense */
export function linkedOptions(
  asked: Partial<LinkedOptions> & { linked?: boolean; keys: string } & Partial<
      Record<(typeof OF_LINKED)[number], unknown>
    >,
): LinkedOptions | null {
  const { linked, keys, proof, policy, logKey, anyLog } = asked;
  if (linked !== true) return null;
  const useless = OF_LINKED.find((option) => asked[option] !== undefined);
  if (useless !== undefined)
    throw new Failure(`--${useless} makes no sense with --linked`, 'verify that separately', 2);
  if (proof === undefined)
    throw new Failure('--linked needs --proof', 'specify the public manifest, or the URL of the service', 2);
  return {
    ...{ keys, proof },
    ...(policy !== undefined && { policy }),
    ...(logKey && { logKey }),
    ...(anyLog && { anyLog }),
  };
}

function missing(option: string, what: string): Failure {
  return new Failure(`--complete needs --${option}`, `specify ${what}`, 2);
}
