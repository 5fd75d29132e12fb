import { webhookSettings } from '../../platform/config/platform-settings.ts';

/** The settings of webhooks. */
export const webhooksSettings = webhookSettings();
