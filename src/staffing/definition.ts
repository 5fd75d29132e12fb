import { type Config, shownAtStart } from '../platform/config/setting.ts';
import { isMasterKey } from '../platform/crypto/master-key.ts';
import { FIRST_START_FILE, type MadeSecrets } from '../platform/service-definition.ts';
import type { TestableService } from '../platform/test-service/definition.ts';
import type { Bootstrap } from './accounts/bootstrap.ts';
import { accountsSettings } from './accounts/settings.ts';
import { adminSettings } from './admin/settings.ts';
import { staffingDatabaseOf } from './service/database.ts';
import type { StaffingModule } from './service/module.ts';
import { staffingSettings, staffingSettingsOf } from './service/settings.ts';
import { webhooksSettings } from './webhooks/settings.ts';

/**
 * Returns the service definition with the given modules. @throws Failure when two modules have the same
 * setting or migration
 */
export function staffingServiceDefinition(modules: readonly StaffingModule[]): TestableService {
  const database = staffingDatabaseOf(modules);
  return {
    name: 'staffing',
    settings: staffingSettings,
    table: staffingSettingsOf(modules),
    database,
    dataFiles: [database.name, 'keys', 'registry', FIRST_START_FILE, 'control.sock'],
    notInDemo: [
      adminSettings.adminToken,
      accountsSettings.bootstrapEmail,
      accountsSettings.smtpUrl,
      webhooksSettings.allowPrivateWebhooks,
    ],
    notInTest: [accountsSettings.smtpUrl, webhooksSettings.allowPrivateWebhooks],
    testDefaults: [[staffingSettings.rateLimits.key, 'off']],
    isKey: isMasterKey,
    async restoreChecks(data) {
      const { restoreProblems } = await import('./service/restore-checks.ts');
      return restoreProblems(data, database);
    },
    async openDemo(opening) {
      const { openStaffingDemo } = await import('./demo/open.ts');
      return openStaffingDemo(opening, modules);
    },
    async openTest(environment) {
      const { openStaffingTest } = await import('./testing/open.ts');
      return openStaffingTest(environment, modules);
    },
    triggers: async () => (await import('./triggers/triggers.ts')).triggers,
    async open({ directory, config, log, version, recorder, traffic }) {
      const { openStaffingService } = await import('./service/service.ts');
      const options = { version, recorder, traffic, modules };
      const service = await openStaffingService(directory, config, log, options);
      const { firstStart } = service;
      return {
        ...service,
        ready: {
          admin_token: firstStart.adminToken,
          ...(firstStart.apiKey === null ? {} : { api_key: firstStart.apiKey }),
        },
        announcement: [],
        secrets: secretsOf(firstStart, config),
      };
    },
  };
}

/** Returns the secrets of a start, as it shows them; null for none. */
function secretsOf({ adminToken, apiKey }: Bootstrap, config: Config): MadeSecrets | null {
  if (adminToken === null && apiKey === null) return null;
  const { adminToken: configuredToken } = adminSettings;
  const isConfigured = configuredToken.in(config) !== null;
  return {
    about: [],
    lines: [
      ...(adminToken === null ? [] : [`  Admin token  ${shownAtStart(adminToken, configuredToken, config)}`]),
      ...(apiKey === null ? [] : [`  API key      ${apiKey}`]),
    ],
    names: {},
    values: {
      ...(adminToken === null || isConfigured ? {} : { admin_token: adminToken }),
      ...(apiKey === null ? {} : { api_key: apiKey }),
    },
    isConfigured,
  };
}
