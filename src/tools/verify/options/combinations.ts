import { Failure } from '../../../platform/failure.ts';
import { isUrl } from '../../../platform/network/fetch.ts';
import { OPERATOR_ID } from '../../../proof/receipt/receipt-shape.ts';
import { type CommandOptions, requireOptions } from './by-document.ts';

/** Where the trusted keys and the policy are. */
export interface TrustSources {
  /** A file or a URL; undefined if no keys are needed. */
  keys: string | undefined;
  policy: string | undefined;
  /** Verifier keys, or files with them. */
  logKey: readonly string[] | undefined;
  /** Accepts any log of the keys if nothing names the one that is meant. */
  anyLog: boolean;
}

/** The options of `verify`, checked as far as they do not depend on the kind of document. */
export type CheckedOptions =
  | { subject: 'input'; trust: TrustSources; commandOptions: CommandOptions }
  | { subject: 'linked'; trust: TrustSources; proof: string }
  | {
      subject: 'account';
      trust: TrustSources & { policy: string };
      operator: string;
      /** A directory or a URL. */
      log: string;
      /** Directories and URLs with copies of closed logs. */
      predecessors: readonly string[];
      /** The time in milliseconds from which on the account is judged; null for all of it. */
      from: number | null;
      allowsUnlinked: boolean;
    };

/**
 * Returns the checked options for a file.
 * @throws Failure for options that are missing, or that make no sense together
 */
export function checkedOptions(file: string, commandOptions: CommandOptions): CheckedOptions {
  if (commandOptions.complete === true) return accountOptions(commandOptions);
  requireOptions('input', commandOptions);
  if (commandOptions.linked === true) requireOptions('linked', commandOptions);
  const { keys, proof = '', status } = commandOptions;
  if ([file, keys, proof, status].filter((source) => source === '-').length > 1)
    throw new Failure('standard input can be read once', 'specify files for all but one of the inputs', 2);
  const trust = trustSources(commandOptions);
  return commandOptions.linked === true
    ? { subject: 'linked', trust, proof }
    : { subject: 'input', trust, commandOptions };
}

function trustSources({ keys, policy, logKey, anyLog = false }: CommandOptions): TrustSources {
  return { keys, policy, logKey, anyLog };
}

function accountOptions(commandOptions: CommandOptions): CheckedOptions {
  requireOptions('account', commandOptions);
  // The table needs these three.
  const { operator = '', log = '', policy = '' } = commandOptions;
  if (!OPERATOR_ID.test(operator))
    throw new Failure(
      `${JSON.stringify(operator)} is not the id of an operator`,
      'it is op_cus_ and 24 letters and digits',
      2,
    );
  const keys = commandOptions.keys ?? (isUrl(log) ? new URL('/', log).href : null);
  if (keys === null)
    throw new Failure('--complete needs --keys', 'specify a saved response of /api/v1/transparency/keys', 2);
  return {
    subject: 'account',
    trust: { ...trustSources(commandOptions), keys, policy },
    operator,
    log,
    predecessors: commandOptions.predecessor ?? [],
    from: commandOptions.from ?? null,
    allowsUnlinked: commandOptions.allowUnlinked === true,
  };
}
