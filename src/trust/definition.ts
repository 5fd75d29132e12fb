import { type Config, shownAtStart } from '../platform/config/setting.ts';
import { isMasterKey } from '../platform/crypto/master-key.ts';
import { FIRST_START_FILE, type MadeSecrets } from '../platform/service-definition.ts';
import type { TestableService } from '../platform/test-service/definition.ts';
import { agentsSettings } from './agents/settings.ts';
import { processorSettings } from './billing/processor/settings.ts';
import { evmSettings } from './ledger/wallets/settings.ts';
import { clockAnnouncement } from './log/clock/notices.ts';
import { isSigningKey } from './log/keys/files/key-file.ts';
import { logSettings } from './log/settings.ts';
import { witnessesSettings } from './log/witnesses/settings.ts';
import type { FirstStart } from './operators/later-start.ts';
import { quotasSettings } from './operators/quotas/settings.ts';
import { ACTS_FILE } from './operators/restored/acts-file.ts';
import { operatorsSettings } from './operators/settings.ts';
import { trustDatabaseOf } from './service/database.ts';
import type { TrustModule } from './service/module.ts';
import { trustSettings, trustSettingsOf } from './service/settings.ts';
import { webhooksSettings } from './webhooks/settings.ts';

/**
 * Returns the definition of the trust service with some modules.
 * @throws Failure when two modules define the same setting or migration
 */
export function trustServiceDefinition(modules: readonly TrustModule[]): TestableService {
  const database = trustDatabaseOf(modules);
  return {
    name: 'trust',
    settings: trustSettings,
    table: trustSettingsOf(modules),
    database,
    dataFiles: [database.name, 'keys', 'log.high-water', ACTS_FILE, FIRST_START_FILE, 'control.sock'],
    notInDemo: [
      trustSettings.readOnly,
      operatorsSettings.bootstrapApiKey,
      operatorsSettings.serviceToken,
      webhooksSettings.allowPrivateWebhooks,
      evmSettings.treasuryKey,
      witnessesSettings.witnessPolicy,
      processorSettings.stripeSecretKey,
      processorSettings.stripeWebhookSecret,
    ],
    notInTest: [
      trustSettings.readOnly,
      logSettings.logOrigin,
      webhooksSettings.allowPrivateWebhooks,
      evmSettings.rpcUrls,
      evmSettings.treasuryKey,
      witnessesSettings.witnessPolicy,
      processorSettings.stripeSecretKey,
      processorSettings.stripeWebhookSecret,
    ],
    testDefaults: [
      [agentsSettings.powDifficulty.key, '1'],
      [trustSettings.rateLimits.key, 'off'],
      [quotasSettings.freeStoredBytes.key, '0'],
      [quotasSettings.freeTotalBytes.key, '0'],
      [quotasSettings.freeWebhooks.key, '100'],
    ],
    isKey: (name, text) => isSigningKey(name, text) || isMasterKey(name, text),
    async restoreChecks(data) {
      const { restoreProblems } = await import('./service/restore-checks.ts');
      return restoreProblems(data, database);
    },
    async openDemo(opening) {
      const { openTrustDemo } = await import('./demo/open.ts');
      return openTrustDemo(opening, modules);
    },
    async openTest(environment) {
      const { openTrustTest } = await import('./testing/open.ts');
      return openTrustTest(environment, modules);
    },
    triggers: async () => (await import('./triggers/triggers.ts')).triggers,
    async open({ directory, config, log, url, ...options }) {
      const { openTrustService } = await import('./service/service.ts');
      const service = await openTrustService(directory, config, log, { ...options, url, modules });
      const { firstStart } = service;
      return {
        ...service,
        ready: {
          operator_id: firstStart.operatorId,
          api_key: firstStart.apiKey,
          service_token: firstStart.serviceToken,
        },
        secrets: secretsOf(firstStart, config),
        announcement: [
          ...announcement(firstStart, directory.path, config),
          ...(firstStart.created && directory.durability === 'disk' ? nameNotice(config, url) : []),
          ...sandboxNotice(config),
          ...clockAnnouncement(service.trust.clockWatch, directory.path),
        ],
      };
    },
  };
}

/**
 * Returns a notice if the log is named after a local address, or after a port that changes with the next
 * start.
 */
function nameNotice(config: Config, url: string): string[] {
  if (logSettings.logOrigin.in(config) !== null) return [];
  const { hostname, host } = new URL(url);
  const isLocal = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
  const isTemporary = trustSettings.port.in(config) === 0 && trustSettings.baseUrl.in(config) === null;
  if (!isLocal && !isTemporary) return [];
  return [
    '',
    `  NOTE: the transparency log is named ${host}, after the address of this server. Before others`,
    '  rely on it, set log.origin: the name is fixed once the first receipt is finalized.',
  ];
}

/** Returns a notice if payments are made up. */
function sandboxNotice(config: Config): string[] {
  if (processorSettings.processor.in(config) !== 'sandbox') return [];
  return [
    '',
    '  SANDBOX: payments are made up (billing.processor is sandbox). Everybody who reaches this server',
    '  can pay with them. Their credits are marked as sandbox and cannot be withdrawn.',
  ];
}

function announcement({ created, operatorId }: FirstStart, data: string, config: Config): string[] {
  if (trustSettings.readOnly.in(config) === 'on') {
    return ['  Read-only: nothing is written. Create operators and API keys at the server that writes.'];
  }
  if (!created) {
    return [`  To create another API key: countersign operators key ${operatorId} --admin --data ${data}`];
  }
  return [];
}

/** Returns the secrets of a first start, as it shows them. */
function secretsOf(
  { created, operatorId, apiKey, serviceToken }: FirstStart,
  config: Config,
): MadeSecrets | null {
  if (!created) return null;
  const { bootstrapApiKey, serviceToken: configuredToken } = operatorsSettings;
  const isMade = { apiKey: bootstrapApiKey.in(config) === null, token: configuredToken.in(config) === null };
  return {
    about: [`  Operator id    ${operatorId}`],
    lines: [
      `  API key        ${shownAtStart(apiKey, bootstrapApiKey, config)}`,
      `  Service token  ${shownAtStart(serviceToken, configuredToken, config)}`,
    ],
    names: { operator_id: operatorId },
    values: {
      ...(apiKey !== null && isMade.apiKey ? { api_key: apiKey } : {}),
      ...(serviceToken !== null && isMade.token ? { service_token: serviceToken } : {}),
    },
    isConfigured: !isMade.apiKey || !isMade.token,
  };
}
