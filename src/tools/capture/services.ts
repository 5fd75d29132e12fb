import { chooseService } from '../../platform/client/choose-target.ts';
import type { ServiceOperations } from '../../platform/client/operations.ts';
import type { ServiceTarget } from '../../platform/client/service-target.ts';
import { Failure } from '../../platform/failure.ts';
import type { SpoolTarget } from './spool/lines.ts';

/** The operations that capture calls, so that a service at a URL need not be asked for them. */
export const OPERATIONS: ServiceOperations = {
  issueReceipt: 'POST /api/v1/receipts once',
  getReceipt: 'GET /api/v1/receipts/{id}',
  finalizeReceipt: 'POST /api/v1/receipts/{id}/finalize once',
  anchorEvidence: 'POST /api/v1/passport/agents/{id}/evidence once',
};

const WANTED = { service: 'trust', known: OPERATIONS } as const;

/** A service of this machine, which this process may serve. */
export interface LocalService {
  target: ServiceTarget;
  close(): Promise<void>;
}

/** Opens the service of a data directory of this machine. @throws Failure */
export type OpenLocal = (directory: string) => Promise<LocalService>;

/** The services that sessions are for. */
export class CaptureServices {
  private readonly local = new Map<string, Promise<LocalService>>();

  /**
   * @param named the service that the user or the session names, whose key file is used; null for none. The
   * file of a session may name no other one: whoever wrote it would choose where a key is sent
   */
  constructor(
    private readonly openLocal: OpenLocal,
    private readonly named: SpoolTarget | null,
  ) {}

  /**
   * Returns the service of a session, with the key that its login context has now.
   * @throws Failure if the context is gone, or of another service or account: a capture id is one request
   * only within an account, so what had reached the service would be issued again
   */
  async open(target: SpoolTarget): Promise<ServiceTarget> {
    switch (target.kind) {
      case 'context': {
        const { service, url, account } = chooseService({ context: target.name }, WANTED, {});
        if (url === target.url && account === target.account) return service;
        if (url === target.url)
          throw new Failure(
            `the context ${target.name} is of ${accountText(account)}, and the receipts are for ${accountText(target.account)}`,
            `log in as that one with countersign login ${target.url} --name ${target.name}, or discard the session`,
          );
        throw new Failure(
          `the context ${target.name} is of ${url}, and the receipts are for ${target.url}`,
          `log in there with countersign login ${target.url} --name ${target.name}, or discard the session`,
        );
      }
      case 'url': {
        const { url, key_file: apiKeyFile } = target;
        const { named: chosen } = this;
        const isNamed = chosen?.kind === 'url' && chosen.url === url && chosen.key_file === apiKeyFile;
        if (apiKeyFile !== null && !isNamed)
          throw new Failure(
            `the session names the key file ${apiKeyFile} for ${url}, which nobody named now`,
            `if that is right: countersign capture send --url ${url} --api-key-file ${apiKeyFile}`,
          );
        const named = apiKeyFile === null ? { url } : { url, apiKeyFile };
        return chooseService(named, WANTED, {}).service;
      }
      case 'local':
        return (await this.localService(target.directory)).target;
    }
  }

  /** Ends the services of this machine that were opened here. */
  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.local.values());
    this.local.clear();
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
  }

  private localService(directory: string): Promise<LocalService> {
    const opened = this.local.get(directory) ?? this.openLocal(directory);
    this.local.set(directory, opened);
    // What could not be opened is tried again by the next call.
    opened.catch(() => this.local.delete(directory));
    return opened;
  }
}

const accountText = (account: string | null): string => account ?? 'an account that its key may not read';
