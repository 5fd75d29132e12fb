import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { type ChosenService, chooseService } from '../../platform/client/choose-target.ts';
import type { ServiceOperations } from '../../platform/client/operations.ts';
import type { ServiceTarget } from '../../platform/client/service-target.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { KeyPair } from '../../platform/crypto/key-files.ts';
import { Failure } from '../../platform/failure.ts';
import { serviceUrl } from '../../platform/network/service-url.ts';
import { subjectCommitment } from '../../proof/agent/commitment.ts';
import { agentKeyIn } from '../agent/key-file.ts';
import { plainText } from './sending/begun.ts';
import type { Capture, Parties } from './session/capture.ts';
import { Keep } from './session/keep.ts';
import { Notices } from './session/notices.ts';
import { CaptureSession, type SessionContext } from './session/session.ts';
import { SpoolDirectory } from './spool/directory.ts';
import { type Header, type SessionKind, type SpoolTarget, VERSION } from './spool/lines.ts';

/** The domains of receipts. */
const DOMAINS = ['FINANCIAL_CLEARING', 'CUSTOMER_SUPPORT', 'CODE_GENERATION', 'SYSTEM_INTEGRATION'] as const;

/** The operations that capture calls, so that a service at a URL need not be asked for them. */
export const OPERATIONS: ServiceOperations = {
  issueReceipt: 'POST /api/v1/receipts once',
  getReceipt: 'GET /api/v1/receipts/{id}',
  finalizeReceipt: 'POST /api/v1/receipts/{id}/finalize once',
  anchorEvidence: 'POST /api/v1/passport/agents/{id}/evidence once',
};

/** The values of the options that all commands of capture share. */
export interface CaptureOptions {
  context?: string;
  url?: string;
  apiKeyFile?: string;
  agent?: string;
  agentKey?: string;
  domain: string;
  keep?: string;
}

/** Returns the options that name a service. */
export function serviceOptions(): Option[] {
  return [
    new Option('--context <name>', 'the login context (default: $COUNTERSIGN_CONTEXT, or the current one)'),
    new Option('--url <url>', 'the service at this URL, instead of a context').argParser((text) =>
      serviceUrl(text, 'responses'),
    ),
    new Option('--api-key-file <file>', 'a file with the key for --url'),
  ];
}

/** Returns the options that all commands of capture share. */
export function captureOptions(): Option[] {
  return [
    ...serviceOptions(),
    new Option('--agent <name>', 'the agent of the receipts, in place of the name that the client has'),
    new Option(
      '--agent-key <file>',
      "the agent's private key: it is the agent then, and signs evidence of each call",
    ),
    new Option('--domain <domain>', 'the domain of the receipts')
      .choices(DOMAINS)
      .default('SYSTEM_INTEGRATION'),
    new Option('--keep <directory>', 'keep arguments and results there; receipts have only their digests'),
  ];
}

/** What makes the calls of a session. */
export interface Source {
  kind: SessionKind;
  /** The agent where neither an option nor the client names one. */
  agent: string;
  /** Is called with the first call. */
  parties(): Parties;
  /** True if a closing receipt shows the order and the number of the receipts. */
  closes: boolean;
}

/** Returns the session of a command. It opens nothing before its first call. @throws Failure (exit code 2) */
export function captureFor(options: CaptureOptions, source: Source): Capture {
  return new CaptureSession(sessionContext(options, source));
}

/**
 * Returns what the session of a command needs. @throws Failure (exit code 2) for options that cannot be used
 */
export function sessionContext(options: CaptureOptions, source: Source): SessionContext {
  const { agent, agentKey, domain, keep } = options;
  if (agent !== undefined && agentKey !== undefined)
    throw new Failure('--agent and --agent-key name two agents', 'name one', 2);
  const chosen = chooseService(options, 'trust', OPERATIONS);
  const target = targetOf(chosen, options);
  const key = agentKey === undefined ? null : agentKeyIn(agentKey);
  const notices = new Notices();
  return {
    key,
    notices,
    directory: new SpoolDirectory(),
    openTarget: firstFrom(chosen.service, target),
    header: () => headerOf(source, { target, domain, agent: agentOf(key, agent) }),
    keep:
      keep === undefined
        ? null
        : new Keep(keptIn(keep), (error) =>
            notices.say('keep', `${keep} does not keep a call: ${textOf(error)}`),
          ),
  };
}

/**
 * Returns the service of a session, with the key that its login context has now.
 * @throws Failure if the context is gone, or of another service
 */
export function openTarget(target: SpoolTarget): ServiceTarget {
  switch (target.kind) {
    case 'context': {
      const { service, url } = chooseService({ context: target.name }, 'trust', OPERATIONS, {});
      if (url === target.url) return service;
      throw new Failure(
        `the context ${target.name} is of ${url}, and the receipts are for ${target.url}`,
        `log in there with countersign login ${target.url} --name ${target.name}, or discard the session`,
      );
    }
    case 'url': {
      const { url, key_file: apiKeyFile } = target;
      const named = apiKeyFile === null ? { url } : { url, apiKeyFile };
      return chooseService(named, 'trust', OPERATIONS, {}).service;
    }
    case 'local':
      throw new Failure(
        `the receipts are for the service in ${target.directory}`,
        'start a wrapper with --local',
      );
  }
}

/** Returns what names a service in the files of sessions. It has no key. */
export function targetOf(
  { context, url }: ChosenService,
  { apiKeyFile }: CaptureOptions | { apiKeyFile?: string },
): SpoolTarget {
  return context === null
    ? { kind: 'url', url, key_file: apiKeyFile === undefined ? null : resolve(apiKeyFile) }
    : { kind: 'context', name: context, url };
}

/**
 * Returns a service that was chosen already the first time; a request that it refuses looks for another key.
 */
function firstFrom(service: ServiceTarget, own: SpoolTarget): (target: SpoolTarget) => ServiceTarget {
  let chosen: ServiceTarget | null = service;
  return (target) => {
    const first = target === own ? chosen : null;
    chosen = target === own ? null : chosen;
    return first ?? openTarget(target);
  };
}

function headerOf(
  { kind, agent: ownAgent, parties, closes }: Source,
  { target, domain, agent }: { target: SpoolTarget; domain: string; agent: string | null },
): Header {
  const { agent: client, server } = parties();
  return {
    ...{ type: 'session', version: VERSION, kind, target },
    agent_id: plainText(agent ?? client ?? ownAgent),
    domain,
    server: closes ? server : null,
    started_at: new Date().toISOString(),
  };
}

function agentOf(key: KeyPair | null, agent: string | undefined): string | null {
  return key === null ? (agent ?? null) : subjectCommitment(nativePrimitives, key.publicKey);
}

/** Returns the directory for arguments and results. @throws Failure if it cannot be one */
function keptIn(directory: string): string {
  try {
    if (!existsSync(directory)) mkdirSync(directory, { recursive: true, mode: 0o700 });
    return resolve(directory);
  } catch (error) {
    throw new Failure(
      `${directory} cannot be made: ${textOf(error)}`,
      'name another directory with --keep',
      2,
    );
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
